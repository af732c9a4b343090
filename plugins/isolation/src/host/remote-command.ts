import {createInterface} from 'node:readline';
import {KernelError} from '@gemini-kernel/kernel';
import type {CommandEntry} from '@gemini-kernel/kernel/host';
import type {CommandRun, RemoteCommand, RemoteRequest} from '../contract.js';
import {lendServices} from './lend.js';
import type {PluginProcess} from './plugin-process.js';

/** A command whose code runs in a process of its own, which ends with it. `create` gives that process. */
export function remoteCommand(request: RemoteRequest, create: () => PluginProcess): RemoteCommand {
  const {root} = request.plugin;
  const {id, module} = request.entry as CommandEntry;
  return {
    async run(parts) {
      const process = create();
      const ended = followOutput(process, parts).catch(() => undefined);
      try {
        const sent = {root, id, ...lendRun(parts, request, process)};
        return await process.request('command', [`${root}/${module}`, sent], {signal: parts.signal});
      } finally {
        await process.finish();
        await ended;
      }
    },
  };
}

/** What it prints, until both streams end; nothing where it has the terminal. */
async function followOutput(process: PluginProcess, {print}: CommandRun): Promise<void> {
  const {stdout, stderr} = await process.output();
  const follow = async (stream: NodeJS.ReadableStream | null, isError: boolean): Promise<void> => {
    if (!stream) return;
    for await (const line of createInterface({input: stream, crlfDelay: Infinity})) print(line, isError);
  };
  await Promise.all([follow(stdout, false), follow(stderr, true)]);
}

function lendRun(parts: CommandRun, request: RemoteRequest, {watch}: PluginProcess): Record<string, unknown> {
  const {argv, signal, terminal, colour, flags, services, environment, session, program, isLive, end} = parts;
  let opened: ReturnType<CommandRun['open']> | undefined;
  const used = (): ReturnType<CommandRun['open']> => (opened ??= parts.open({}));
  return {
    ...{argv, signal, terminal, colour, flags, services, environment, session, program, isLive},
    ...lendServices({service: (name) => used().service(name)}, request, watch),
    open: (given: unknown) => {
      opened ??= parts.open(isRecord(given) ? given : {});
    },
    ask: (form: unknown) => used().ask(form as never),
    end: (code: unknown) => {
      if (!Number.isInteger(code) || Number(code) < 0 || Number(code) > 255)
        throw new KernelError('PLUGIN_BROKEN', `${String(code)} is no exit code.`, {hint: 'Use 0 to 255.'});
      end(Number(code));
    },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
