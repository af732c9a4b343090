import {messages} from './constants.js';
import type {Instruction} from './instruction.js';
import {begin, listen} from './steps-begin.js';
import {connection, relay} from './steps-relay.js';
import {run} from './steps-run.js';

/** The steps of the whole starter. */
export function makeProgram(): readonly Instruction[] {
  return [...begin, ...listen, ...relay, ...connection, ...run, ...Object.keys(messages).flatMap(say)];
}

function say(name: string): readonly Instruction[] {
  const {code, text} = messages[name as keyof typeof messages];
  return [
    ['label', `say ${name}`],
    ['call', 'write', 2, `=${name}`, Buffer.byteLength(text)],
    ['call', 'exit_group', code],
  ];
}
