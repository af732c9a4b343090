import type {Form, FormOption} from '@gemini-kernel/kernel';
import type {AskedHost, AskedPath} from '@gemini-kernel/plugin-sandbox/contract';

/** What can be granted by an answer: which setting keeps it, and what stands there. */
export interface Wish {
  readonly kind: 'host' | 'path';
  readonly grant: string;
  /** Without what an answer can keep. */
  form(command: string, keeping: readonly FormOption[]): Form;
}

/** The settings that keep answers. */
export const SETTINGS = {host: 'tools.sandboxAllowedHosts', path: 'tools.sandboxAllowedPaths'} as const;
const LONGEST_COMMAND = 400;

export const SESSION: FormOption = {value: 'session', label: 'yes, for every command of this session', key: 's'};

/** The answer that a setting keeps. */
export function always(kind: Wish['kind']): FormOption {
  return {
    value: 'always',
    label: 'yes, for every command from now on',
    key: 'a',
    description: `Adds it to ${SETTINGS[kind]} of your settings.`,
  };
}

export function wishForHost({host, port, grant, secrets}: AskedHost): Wish {
  const isOwn = /(?:^|\.)localhost$/.test(host.toLowerCase());
  return {
    kind: 'host',
    grant,
    form: (command, keeping) => ({
      title: `A command wants to connect to ${grant}.`,
      text: [
        shorten(command),
        ...(isOwn ? ['That is a program on this machine, outside of the sandbox.'] : []),
        ...secrets.map((name) => `Requests there by http:// get the secret of ${name} (tools.sandboxCredentials).`),
        'The sandbox holds the connection until you answer. It can send what it reads there.',
      ].join('\n'),
      about: {kind: 'sandbox-host', host, port, command, secrets},
      fields: [choose('Let it connect?', keeping)],
    }),
  };
}

export function wishForPath({path, name}: AskedPath): Wish {
  return {
    kind: 'path',
    grant: path,
    form: (command, keeping) => ({
      title: name === undefined ? `A command wants to write ${path}.` : `A command wants to write in ${path}.`,
      text: [
        shorten(command),
        ...(name === undefined
          ? []
          : [`It makes, removes or renames ${JSON.stringify(name)}. A yes is for the folder.`]),
        'The sandbox holds it until you answer. Programs outside of the sandbox may read or run what it writes there.',
      ].join('\n'),
      about: {kind: 'sandbox-path', path, access: 'write', command},
      fields: [choose('Let it write?', keeping)],
    }),
  };
}

function choose(label: string, keeping: readonly FormOption[]): Form['fields'][number] {
  return {
    kind: 'choice',
    name: 'answer',
    label,
    options: [
      {value: 'once', label: 'yes, for this command', key: 'y'},
      ...keeping,
      {value: 'no', label: 'no', key: 'n'},
    ],
  };
}

function shorten(command: string): string {
  return command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND)}…` : command;
}
