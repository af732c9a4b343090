import {mkdtemp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {calibrate, type JudgePlace} from '../checks/judge.js';
import type {Eval} from '../format/eval.js';

export interface CalibrationPlace extends Omit<JudgePlace, 'folder'> {
  readonly temporary: string;
}

/** Asks each judge about its own cases once. */
export function createCalibration({
  host,
  signal,
  temporary,
}: CalibrationPlace): (one: Eval) => Promise<string | undefined> {
  const asked = new Map<string, Promise<string | undefined>>();
  const ask = async (judge: NonNullable<Eval['judge']>): Promise<string | undefined> => {
    const folder = await mkdtemp(join(temporary, 'gemini-judge-'));
    try {
      return await calibrate(judge, {host, signal, folder});
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  };
  return ({name, judge}) => {
    if (judge === undefined) return Promise.resolve(undefined);
    const known = asked.get(name) ?? ask(judge);
    asked.set(name, known);
    return known;
  };
}
