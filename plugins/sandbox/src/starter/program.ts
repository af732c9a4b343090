import type {Machine} from '../seccomp/system-calls.js';
import {messages} from './constants.js';
import type {Instruction} from './instruction.js';
import {begin, limit, listen} from './steps-begin.js';
import {hide} from './steps-hide.js';
import {look} from './steps-look.js';
import {open} from './steps-open.js';
import {question} from './steps-question.js';
import {connection, relay} from './steps-relay.js';
import {run} from './steps-run.js';
import {watch} from './steps-watch.js';

/** The steps of the whole starter. */
export function makeProgram(machine: Machine): readonly Instruction[] {
  return [
    ...begin(),
    ...limit(),
    ...hide(machine),
    ...listen,
    ...relay,
    ...connection,
    ...run,
    ...watch(machine),
    ...look(),
    ...question(),
    ...open,
    ...Object.keys(messages).flatMap(say),
  ];
}

function say(name: string): readonly Instruction[] {
  const {code, text} = messages[name as keyof typeof messages];
  return [
    ['label', `say ${name}`],
    ['call', 'write', 2, `=${name}`, Buffer.byteLength(text)],
    ['call', 'exit_group', code],
  ];
}
