import {spawn} from 'node:child_process';
import type {KeychainPlace} from './keychain.js';

/** Where another program keeps a secret in the keychain of the system. */
export interface SecretName {
  readonly service: string;
  readonly account: string;
}

/** A secret, or nothing, or why the keychain did not say, as a clause. */
export type FoundSecret = {readonly value?: string} | {readonly fault: string};

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

interface Program {
  readonly command: string;
  args(name: SecretName): readonly string[];
  read(ended: Ended): FoundSecret;
}

const LIMIT_MS = 3000;
/** What `security` ends with when there is no such item. */
const NO_ITEM = 44;

const programs: Partial<Record<NodeJS.Platform, Program>> = {
  linux: {
    command: 'secret-tool',
    args: ({service, account}) => ['lookup', 'service', service, 'account', account],
    // It prints the value as it is, and ends with 1 in silence when it has no such value.
    read: ({code, output, errors}) =>
      code === 0 ? (output === '' ? {} : {value: output}) : errors.trim() === '' ? {} : {fault: lineOf(errors)},
  },
  darwin: {
    command: '/usr/bin/security',
    // With -g, a value that is not plain text differs from one that looks like digits.
    args: ({service, account}) => ['find-generic-password', '-s', service, '-a', account, '-g'],
    read: readSecurity,
  },
};

/** Asks the keychain of this system for a secret of another program. Nothing is written. */
export async function findSecret(name: SecretName, {platform, variables}: KeychainPlace): Promise<FoundSecret> {
  const program = programs[platform];
  if (!program) return {fault: `no program of ${platform} shows what the keychain has`};
  if (platform === 'linux' && !variables['DBUS_SESSION_BUS_ADDRESS']) return {fault: 'there is no session bus'};
  const ended = await run(program, name, variables);
  return 'fault' in ended ? ended : program.read(ended);
}

function run(
  {command, args}: Program,
  name: SecretName,
  variables: KeychainPlace['variables'],
): Promise<Ended | {readonly fault: string}> {
  return new Promise((resolve) => {
    const child = spawn(command, args(name), {env: variables, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS});
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    child.on('error', ({code}: NodeJS.ErrnoException) =>
      resolve({fault: code === 'ENOENT' ? `the program ${command} is not installed` : `${command} cannot start`}),
    );
    child.on('close', (code, signal) =>
      resolve(signal ? {fault: `${command} gave no answer within ${LIMIT_MS / 1000} s`} : {code, output, errors}),
    );
  });
}

/** What the program `security` of macOS says: the password is on its standard error. */
export function readSecurity({code, errors}: Pick<Ended, 'code' | 'errors'>): FoundSecret {
  if (code === NO_ITEM) return {};
  const value = code === 0 ? readPassword(errors) : undefined;
  return value === undefined ? {fault: lineOf(errors) || `security ended with ${code}`} : {value};
}

/** `password: "text"`, or `password: 0x74657874` for other bytes. */
function readPassword(text: string): string | undefined {
  const [, hex, plain] = /^password: (?:0x([0-9A-Fa-f]+)|"(.*)")?/m.exec(text) ?? [];
  return hex === undefined ? plain : Buffer.from(hex, 'hex').toString('utf8');
}

function lineOf(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 200).replace(/\.$/, '');
}
