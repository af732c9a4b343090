import {spawn} from 'node:child_process';

/** One secret of ours in the keychain of the system. */
export interface Keychain {
  /** Undefined when there is none, or the keychain does not answer. */
  read(): Promise<string | undefined>;
  write(value: string): Promise<void>;
}

/** The system, and the variables that its programs get. */
export interface KeychainPlace {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

interface Program {
  readonly command: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** What the program reads from its standard input to keep a value: never a word of the command line. */
  input(value: string): string;
}

/** It was made for the tokens of MCP servers; one key serves all that is sealed. */
const SERVICE = 'gemini-mcp';
const LIMIT_MS = 3000;

const programs: Partial<Record<NodeJS.Platform, Program>> = {
  linux: {
    command: 'secret-tool',
    read: ['lookup', 'service', SERVICE],
    write: ['store', '--label=gemini: credentials', 'service', SERVICE],
    input: (value) => value,
  },
  darwin: {
    command: '/usr/bin/security',
    read: ['find-generic-password', '-s', SERVICE, '-a', 'key', '-w'],
    write: ['-i'],
    input: (value) => `add-generic-password -U -s ${SERVICE} -a key -w ${value}\n`,
  },
};

/** The keychain of this system, where one can be expected to answer without a person. */
export function findKeychain({platform, variables}: KeychainPlace): Keychain | undefined {
  if (variables['GEMINI_FORCE_ENCRYPTED_FILE_STORAGE'] === 'file') return undefined;
  const program = programs[platform];
  // Without a session bus no keyring answers.
  if (!program || (platform === 'linux' && !variables['DBUS_SESSION_BUS_ADDRESS'])) return undefined;
  const run = (args: readonly string[], input = ''): Promise<string | undefined> =>
    ask(program.command, args, input, variables);
  return {
    read: async () => (await run(program.read))?.trim() || undefined,
    write: async (value) => void (await run(program.write, program.input(value))),
  };
}

/** What a program printed; undefined when it is not there, fails, or takes too long. */
function ask(
  command: string,
  args: readonly string[],
  input: string,
  variables: KeychainPlace['variables'],
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {env: variables, stdio: ['pipe', 'pipe', 'ignore'], timeout: LIMIT_MS});
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? output : undefined));
  });
}
