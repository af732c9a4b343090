import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';
import type {Finding} from '../contract.js';
import {groupBy, idsOf, quote} from './evidence.js';

const TIMES = 5;
/** Command lines of services for which there are MCP servers, by what they speak to. */
const SERVICES: Readonly<Record<string, string>> = {
  gh: 'github',
  glab: 'gitlab',
  psql: 'postgres',
  mysql: 'mysql',
  mongosh: 'mongodb',
  'redis-cli': 'redis',
  kubectl: 'kubernetes',
  aws: 'aws',
  gcloud: 'google-cloud',
  az: 'azure',
  jira: 'jira',
};

/** One service asked by hand again and again: tools of a server have named inputs, and rules of their own. */
export function findServices(calls: readonly CallRecord[]): readonly Finding[] {
  const named = calls.flatMap((call) => {
    const service = serviceOf(call);
    return service === undefined ? [] : [{service, call}];
  });
  return [...groupBy(named, ({service}) => service)]
    .filter(([, own]) => own.length >= TIMES)
    .map(([service, own]): Finding => ({
      kind: 'server',
      sentence: `${quote(service)} was asked by hand ${own.length} times. An MCP server gives a model tools for it.`,
      evidence: idsOf(own.map(({call}) => call)),
      command: `gemini mcp add ${service} <program or address of its server>`,
    }));
}

function serviceOf({name, input}: CallRecord): string | undefined {
  const {command} = (input ?? {}) as {readonly command?: unknown};
  if (name !== 'run_shell_command' || typeof command !== 'string') return undefined;
  const [program = ''] = command.trim().split(/\s+/);
  return Object.hasOwn(SERVICES, program) ? SERVICES[program] : undefined;
}
