import type {IdeInfo} from '../protocol.js';

/** An editor whose own command line installs extensions. */
export interface InstallableEditor extends IdeInfo {
  /** Names of its command line, the preferred one first. */
  readonly commands: readonly string[];
  /** A variable that names its command line. */
  readonly variable?: string;
  /** Name of its application on macOS. */
  readonly application: string;
  /** The name of its folder in Program Files on Windows. */
  readonly folder: string;
  /** Whether it uses Open VSX, because Microsoft's Marketplace is for Microsoft's own editors only. */
  readonly isFork: boolean;
}

/** The extension that acts as the companion. */
export const EXTENSION = 'google.gemini-cli-vscode-ide-companion';

const vscode: InstallableEditor = {
  name: 'vscode',
  displayName: 'VS Code',
  commands: ['code'],
  application: 'Visual Studio Code',
  folder: 'Microsoft VS Code',
  isFork: false,
};

/** Every editor with a known command line. */
export const installableEditors: readonly InstallableEditor[] = [
  vscode,
  {
    ...vscode,
    name: 'vscode-insiders',
    displayName: 'VS Code Insiders',
    commands: ['code-insiders'],
    application: 'Visual Studio Code - Insiders',
    folder: 'Microsoft VS Code Insiders',
  },
  {...vscode, name: 'codespaces', displayName: 'GitHub Codespaces'},
  {...vscode, name: 'firebasestudio', displayName: 'Firebase Studio', isFork: true},
  {
    name: 'vscodium',
    displayName: 'VSCodium',
    commands: ['codium'],
    application: 'VSCodium',
    folder: 'VSCodium',
    isFork: true,
  },
  {name: 'cursor', displayName: 'Cursor', commands: ['cursor'], application: 'Cursor', folder: 'cursor', isFork: true},
  {
    name: 'windsurf',
    displayName: 'Windsurf',
    commands: ['windsurf'],
    application: 'Windsurf',
    folder: 'Windsurf',
    isFork: true,
  },
  {
    name: 'positron',
    displayName: 'Positron',
    commands: ['positron'],
    application: 'Positron',
    folder: 'Positron',
    isFork: true,
  },
  {name: 'trae', displayName: 'Trae', commands: ['trae'], application: 'Trae', folder: 'Trae', isFork: true},
  {
    name: 'antigravity',
    displayName: 'Antigravity',
    commands: ['agy', 'antigravity'],
    variable: 'ANTIGRAVITY_CLI_ALIAS',
    application: 'Antigravity',
    folder: 'Antigravity',
    isFork: true,
  },
];
