import type {Hook} from '../hook.js';
import {sessionClose} from './session-close.js';
import {sessionOpen} from './session-open.js';
import {toolConfirm} from './tool-confirm.js';
import {toolInput} from './tool-input.js';
import {toolJudge} from './tool-judge.js';
import {toolResult} from './tool-result.js';
import {toolRun} from './tool-run.js';
import {toolsCollect} from './tools-collect.js';

// Types only, so that their additions to `Moments` reach everyone who imports the kernel.
export type * from './session-close.js';
export type * from './session-open.js';
export type * from './tool-confirm.js';
export type * from './tool-input.js';
export type * from './tool-judge.js';
export type * from './tool-result.js';
export type * from './tool-run.js';
export type * from './tools-collect.js';

/** The moments that the kernel owns; every other moment belongs to a plugin. */
export const kernelHooks: readonly Hook[] = [sessionOpen, sessionClose, toolsCollect, toolInput, toolJudge, toolConfirm, toolRun, toolResult];
