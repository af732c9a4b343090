export type WantedPlugin =
  | {
      readonly type: 'registry';
      readonly name: string;
      readonly wanted: string;
      readonly isExact: boolean;
    }
  | {
      readonly type: 'tarball';
      readonly location: string;
      readonly name?: string;
    }
  | {
      readonly type: 'folder';
      readonly location: string;
      readonly name?: string;
    }
  | {
      readonly type: 'git';
      readonly location: string;
      readonly wanted?: string;
      readonly range?: string;
      readonly name?: string;
    };
export declare function parseSpec(text: string, cwd: string): WantedPlugin;
