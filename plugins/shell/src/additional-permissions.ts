import type {FromSchema} from '@gemini-kernel/kernel';
import type {Grant} from '@gemini-kernel/plugin-sandbox/contract';

const paths = {type: 'array', items: {type: 'string', minLength: 1}} as const;

/** What a command asks for beyond its sandbox: as Gemini CLI names it, and hosts. */
export const additionalPermissions = {
  type: 'object',
  description:
    'What the command needs beyond the sandbox; the user is asked. Only where commands run in a sandbox, and only ' +
    'when the command cannot do its work without it.',
  properties: {
    hosts: {
      type: 'array',
      items: {type: 'string', minLength: 1},
      description: 'Hosts to connect to, such as registry.example.com.',
    },
    network: {type: 'boolean', description: 'Connect to any host. Prefer hosts.'},
    fileSystem: {
      type: 'object',
      description: 'Paths outside the workspace.',
      properties: {
        read: {...paths, description: 'Absolute paths to read.'},
        write: {...paths, description: 'Absolute paths to write.'},
      },
    },
  },
} as const;

export type AdditionalPermissions = FromSchema<typeof additionalPermissions>;

/** What is asked for, as the sandbox takes it: paths count only as they were shown, and not through links. */
export function toGrant({network, hosts, fileSystem: {read, write} = {}}: AdditionalPermissions): Grant {
  return {
    from: 'additional_permissions',
    isExact: true,
    ...(read ? {read} : {}),
    ...(write ? {write} : {}),
    ...(network ? {network} : hosts ? {network: hosts} : {}),
  };
}

/** What a person reads of it below a command. */
export function describePermissions(asked: AdditionalPermissions | undefined): string {
  if (asked === undefined) return '';
  const {network, hosts = [], fileSystem: {read = [], write = []} = {}} = asked;
  const lines = [
    ...(network ? ['any host'] : hosts).map((host) => `connect to ${host}`),
    ...read.map((path) => `read ${path}`),
    ...write.map((path) => `write ${path}`),
  ];
  return lines.length === 0 ? '' : `\n\nbeyond the sandbox:\n${lines.join('\n')}`;
}
