import type { CommandOrigin } from '@gemini-kernel/plugin-agent/contract';
export interface CommandFolder {
  readonly folder: string;
  readonly owner: string;
}
export interface CommandFolderSource {
  list(): Promise<readonly CommandFolder[]>;
}
export type ShellKind = 'bash' | 'powershell';
export interface ArgumentPlace {
  readonly kind: 'arguments';
  readonly position?: number;
}
export type ShellPiece =
  | {
      readonly kind: 'text';
      readonly text: string;
    }
  | (ArgumentPlace & {
      readonly quotes: 'none' | 'single' | 'double';
    });
export type TemplatePart =
  | {
      readonly kind: 'text';
      readonly text: string;
    }
  | ArgumentPlace
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly source: string;
    }
  | {
      readonly kind: 'shell';
      readonly pieces: readonly ShellPiece[];
      readonly source: string;
    };
export interface CustomCommand {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly file: string;
  readonly origin: CommandOrigin;
  readonly parts: readonly TemplatePart[];
}
export interface CommandFault {
  readonly file: string;
  readonly kind: 'broken' | 'skipped';
  readonly line?: number;
  readonly column?: number;
  readonly reason: string;
}
export interface SearchedFolder {
  readonly folder: string;
  readonly origin: CommandOrigin;
  readonly leftOut?: string;
}
export interface CommandListing {
  readonly version: number;
  readonly folders: readonly SearchedFolder[];
  readonly commands: readonly CustomCommand[];
  readonly faults: readonly CommandFault[];
}
export interface CustomCommands {
  list(): Promise<CommandListing>;
  reload(): Promise<CommandListing>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'custom-commands': CustomCommands;
    [folders: `command-folders:${string}`]: CommandFolderSource;
  }
}
