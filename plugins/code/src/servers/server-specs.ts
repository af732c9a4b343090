/** What the plugin knows of a language server. */
export interface ServerSpec {
  /** The program, as it is looked up. */
  readonly name: string;
  /** Names of languages, as the setting takes them. */
  readonly languages: readonly string[];
  /** Files that stand beside code of its languages. */
  readonly marks: RegExp;
  readonly args: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
  /** Keeps its tools from fetching anything. */
  readonly variables?: Readonly<Record<string, string>>;
  /** It wants a TypeScript, and would take the project's. */
  readonly needsTypescript?: true;
  /** It starts programs that files of the project name, so a person has to name it. */
  readonly runsProject?: true;
}

const pyright = {languages: ['python'], marks: /^(?:pyproject\.toml|setup\.py|requirements\.txt)$/, args: ['--stdio']};

/** In the order in which they are taken. */
export const serverSpecs: readonly ServerSpec[] = [
  {
    name: 'typescript-language-server',
    languages: ['typescript', 'tsx', 'javascript'],
    marks: /^(?:package|[jt]sconfig)\.json$/,
    args: ['--stdio'],
    options: {disableAutomaticTypingAcquisition: true},
    needsTypescript: true,
  },
  {name: 'pyright-langserver', ...pyright},
  {name: 'basedpyright-langserver', ...pyright},
  {
    name: 'gopls',
    languages: ['go'],
    marks: /^go\.(?:mod|work)$/,
    args: [],
    variables: {GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '-mod=readonly'},
  },
  {
    name: 'rust-analyzer',
    languages: ['rust'],
    marks: /^Cargo\.toml$/,
    args: [],
    options: {cargo: {buildScripts: {enable: false}}, procMacro: {enable: false}, checkOnSave: false},
    variables: {CARGO_NET_OFFLINE: 'true'},
    runsProject: true,
  },
  {
    name: 'clangd',
    languages: ['c', 'cpp'],
    marks: /^(?:CMakeLists\.txt|compile_commands\.json)$/,
    args: ['--background-index=false', '--enable-config=false'],
  },
];
