import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Terminal} from '@gemini-kernel/plugin-agent/contract';
import {PersonAtSeat} from '@gemini-kernel/plugin-agent/front';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../contract.js';

/** A conversation in a terminal, one at a time in a place. */
export default provide('ui:terminal', {
  version: '1.0.0',
  scope: 'place',
  // It holds the terminal.
  local: true,
  create: (context) => new TerminalUi(context),
});

class TerminalUi extends PersonAtSeat {
  constructor(private readonly context: ServiceContext) {
    // The parts of a conversation are loaded when it starts.
    super(async (seat) => (await import('../open-conversation.js')).openConversation(seat, context));
  }

  /** Terminals with cursor control, unless a screen reader reads them. */
  async suits({input, output}: Terminal): Promise<boolean> {
    const {environment, service} = this.context;
    const kind = environment.variables['TERM'] ?? (environment.platform === 'win32' ? 'windows' : 'dumb');
    if (input.isTTY !== true || output.isTTY !== true || kind === 'dumb') return false;
    return (await (await service('settings')).get('ui.accessibility.screenReader')) !== true;
  }
}
