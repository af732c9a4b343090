import {KernelError, provide} from '@gemini-kernel/kernel';
import type {CommandSource} from '@gemini-kernel/plugin-agent/contract';
import type {CommandListing, CustomCommand} from '../contract.js';
import {CommandRun} from '../run/command-run.js';

/** Custom commands as slash commands, for one session. */
export default provide('commands:custom', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'refresh', 'run'],
  create({service, changed, tell, tools, environment}): CommandSource {
    let listed: number | undefined;
    const read = async (): Promise<CommandListing> => {
      const listing = await (await service('custom-commands')).list();
      for (const {reason, kind} of listing.faults)
        if (kind === 'skipped') tell({code: 'CUSTOM_COMMAND_SKIPPED', sentence: reason, once: reason});
        else tell({code: 'CUSTOM_COMMAND_BROKEN', sentence: `A custom command is left out. ${reason}`, once: reason});
      return listing;
    };
    return {
      async list() {
        const {commands, version} = await read();
        listed = version;
        return commands.map(({id, name, description, argumentHint, origin}) => ({
          ...{id, name, description, origin},
          ...(argumentHint === undefined ? {} : {argumentHint}),
        }));
      },
      async refresh() {
        if (listed !== undefined && (await read()).version !== listed) changed();
      },
      async run(id, {line, text}, signal) {
        const command = find(await read(), id);
        const workspace = await service('workspace');
        const run = new CommandRun({command, line, text, tools, workspace, tell, environment, signal});
        return {kind: 'prompt', parts: await run.fill()};
      },
    };
  },
});

function find({commands}: CommandListing, id: string): CustomCommand {
  const found = commands.find((one) => one.id === id);
  if (found) return found;
  const file = id.replace(/^[a-z]+:[^:]*:/, '');
  throw new KernelError('CUSTOM_COMMAND_UNKNOWN', `${file} no longer describes a command.`, {
    hint: 'gemini commands check names files that are broken.',
  });
}
