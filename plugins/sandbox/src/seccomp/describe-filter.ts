import {FAMILIES, judged, refused, TYPING} from './system-calls.js';

/** What one group of refused system calls is, for people and programs. */
export interface RefusedCalls {
  readonly why: string;
  readonly calls: readonly string[];
  /** The error that a program gets. */
  readonly error: string;
}

/** The filter of system calls in words: from the same tables that its bytes are made of. */
export function describeFilter(): readonly RefusedCalls[] {
  const families = Object.keys(FAMILIES).join(', ');
  return [
    ...refused.map(({why, calls}) => ({why, calls: Object.keys(calls), error: 'EPERM'})),
    {why: `Makes a socket of another family than ${families}.`, calls: ['socket'], error: 'EAFNOSUPPORT'},
    {why: 'Makes a namespace.', calls: ['clone'], error: 'EPERM'},
    {why: 'Cannot be judged; libraries use clone instead.', calls: [Object.keys(judged)[1] ?? ''], error: 'ENOSYS'},
    {why: `Types into a terminal (${Object.keys(TYPING).join(', ')}).`, calls: ['ioctl'], error: 'EPERM'},
    {why: 'Is of another architecture, or an x32 call.', calls: ['*'], error: 'EPERM, ENOSYS'},
  ];
}
