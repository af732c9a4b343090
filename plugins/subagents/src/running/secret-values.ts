import {ToolError, type Environment} from '@gemini-kernel/kernel';
import {passedVariables, ProcessGroups, runProcess} from '@gemini-kernel/processes';
import type {AgentInfo} from '../contract.js';
import {isCommand} from '../definition/read-auth.js';

interface Place {
  readonly environment: Pick<Environment, 'variables' | 'cwd' | 'platform'>;
  readonly agent: Pick<AgentInfo, 'name' | 'origin'>;
  readonly signal: AbortSignal;
}

const COMMAND_MS = 60_000;

/**
 * A value of a login: `$NAME` is a variable and `!command` the output of a command; `$$` and `!!` stand for one sign.
 * Throws ToolError AGENT_FAILED, without what the command printed, and the reason of the signal.
 */
export async function fillSecret(text: string, place: Place): Promise<string> {
  if (text.startsWith('$$') || text.startsWith('!!')) return text.slice(1);
  if (isCommand(text)) return outputOf(text.slice(1).trim(), place);
  if (!text.startsWith('$')) return text;
  const variable = text.replace(/^\$\{?/, '').replace(/\}$/, '');
  const value = place.environment.variables[variable];
  if (value) return value;
  throw new ToolError(
    'AGENT_FAILED',
    `The agent "${place.agent.name}" needs the variable ${variable}, which is not set.`,
  );
}

async function outputOf(command: string, {environment, agent, signal}: Place): Promise<string> {
  const {cwd, platform, variables} = environment;
  const [file, args] = platform === 'win32' ? ['cmd.exe', ['/d', '/s', '/c', command]] : ['/bin/sh', ['-c', command]];
  const all = Object.entries(variables).filter((one): one is [string, string] => one[1] !== undefined);
  const groups = new ProcessGroups(platform);
  try {
    const {by, exitCode, stdout} = await runProcess(
      groups,
      {
        ...{file, args, cwd, input: '', timeoutMs: COMMAND_MS},
        // What a project wrote gets no secret of the person.
        variables: agent.origin === 'user' ? Object.fromEntries(all) : passedVariables(variables),
      },
      signal,
    );
    const value = stdout.toString().trim();
    if (by === 'itself' && exitCode === 0 && value !== '' && !/[\r\n\0]/.test(value)) return value;
    throw new ToolError('AGENT_FAILED', `${sentence(agent.name, command)} ${describe(by, exitCode, value)}.`);
  } finally {
    groups.close();
  }
}

function sentence(agent: string, command: string): string {
  return `The login of the agent "${agent}" is the output of ${JSON.stringify(command.slice(0, 200))}, which`;
}

function describe(by: string, exitCode: number | undefined, value: string): string {
  if (by === 'timeout') return `did not end within ${COMMAND_MS / 1000} s`;
  if (by === 'start') return 'could not be started';
  if (by !== 'itself') return 'was ended';
  if (exitCode !== 0) return `ended with ${exitCode ?? 'no code'}`;
  return value === '' ? 'printed nothing' : 'printed more than one line';
}
