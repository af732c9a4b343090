import {Keyboard, type Key} from '@gemini-kernel/terminal';
import type {ConversationParts} from './conversation-parts.js';

interface KeyboardActs {
  /** Runs what an event asks for; an error of it ends the conversation. */
  guard(act: () => void): void;
  press(key: Key): void;
  resize(): void;
  continue(): void;
  /** The terminal is lost. */
  leave(): void;
  /** Input that is no terminal has ended: what was typed still runs. */
  end(): void;
}

/** Prepares the keyboard of a conversation. */
export function openKeyboard(
  {seat, screen, isRaw, onState, modes}: ConversationParts,
  {guard, ...acts}: KeyboardActs,
): Keyboard {
  return new Keyboard({
    ...{input: seat.input, output: seat.output, isCapable: screen.isLive, isRaw},
    onKey: (key) => guard(() => acts.press(key)),
    onResize: () => guard(() => acts.resize()),
    onContinue: () => guard(() => acts.continue()),
    onState: (state) => guard(() => onState?.(state)),
    ...(modes ? {modes} : {}),
    onExit: () => screen.release(),
    onClose: () => guard(() => (isRaw ? acts.leave() : acts.end())),
  });
}
