import {CommandRunner, type RunnerParts} from './command-runner.js';
import type {CommandPlaces} from './complete.js';
import type {ConversationParts} from './conversation-parts.js';
import {ownOf, type OwnParts} from './own/own.js';
import {Views} from './views/find-view.js';

interface CommandParts
  extends
    Pick<RunnerParts, 'speaker' | 'terminal' | 'onLeave'>,
    Pick<OwnParts, 'input' | 'viewing' | 'outputs' | 'fill'> {
  readonly commands: CommandPlaces;
}

/** Prepares the slash commands of a conversation. */
export function openCommands(conversation: ConversationParts, parts: CommandParts): CommandRunner {
  const {seat, isRaw, views} = conversation;
  return new CommandRunner({
    ...{...conversation, ...parts},
    commands: () => parts.commands.list(),
    own: ownOf({...conversation, ...parts}),
    views: new Views({
      // Without single keys, a command lists what its view would show.
      names: isRaw ? views : [],
      open: (name) => seat.service(name),
      show: (what) => parts.viewing.show(what),
    }),
  });
}
