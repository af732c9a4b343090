import type {SlashCommand} from '../contract.js';
import {CommandRunner, type RunnerParts} from './command-runner.js';
import type {CommandPlaces} from './complete.js';
import type {ConversationParts} from './conversation-parts.js';
import {ownOf, type OwnParts} from './own/own.js';
import {Views} from './views/find-view.js';

interface CommandParts
  extends
    Pick<RunnerParts, 'speaker' | 'terminal' | 'editor'>,
    Pick<OwnParts, 'input' | 'viewing' | 'outputs' | 'fill' | 'leave'> {
  readonly commands: CommandPlaces;
}

/** Prepares the slash commands of a conversation. */
export function openCommands(conversation: ConversationParts, parts: CommandParts): CommandRunner {
  const {seat, isRaw, views} = conversation;
  const commands = (): Promise<readonly SlashCommand[]> => parts.commands.list();
  return new CommandRunner({
    ...{...conversation, ...parts},
    commands,
    own: ownOf({...conversation, ...parts, commands}),
    views: new Views({
      // Without single keys, a command lists what its view would show.
      names: isRaw ? views : [],
      open: (name) => seat.service(name),
      show: (what) => parts.viewing.show(what),
      inLines: conversation.screen.hasWindow !== true,
    }),
  });
}
