import type {Hook} from '../hook.js';
import {capabilityAsk} from './capability-ask.js';
import {personAsk} from './person-ask.js';
import {sessionBegin} from './session-begin.js';
import {sessionClose} from './session-close.js';
import {sessionMode} from './session-mode.js';
import {sessionNotice} from './session-notice.js';
import {sessionOpen} from './session-open.js';
import {sourcesChanged} from './sources-changed.js';
import {toolApproved} from './tool-approved.js';
import {toolChoices} from './tool-choices.js';
import {toolConfirm} from './tool-confirm.js';
import {toolConfirmed} from './tool-confirmed.js';
import {toolEnd} from './tool-end.js';
import {toolInput} from './tool-input.js';
import {toolJudge} from './tool-judge.js';
import {toolResult} from './tool-result.js';
import {toolRun} from './tool-run.js';
import {toolsOffer} from './tools-offer.js';

// Types only, so that their additions to `Moments` reach everyone who imports the kernel.
export type * from './capability-ask.js';
export type * from './person-ask.js';
export type * from './session-begin.js';
export type * from './session-close.js';
export type * from './session-mode.js';
export type * from './session-notice.js';
export type * from './session-open.js';
export type * from './sources-changed.js';
export type * from './tool-approved.js';
export type * from './tool-choices.js';
export type * from './tool-confirm.js';
export type * from './tool-confirmed.js';
export type * from './tool-end.js';
export type * from './tool-input.js';
export type * from './tool-judge.js';
export type * from './tool-result.js';
export type * from './tool-run.js';
export type * from './tools-offer.js';

/** The moments that the kernel owns; every other moment belongs to a plugin. */
export const kernelHooks: readonly Hook[] = [
  sessionBegin,
  sessionMode,
  sessionOpen,
  sessionClose,
  sessionNotice,
  personAsk,
  capabilityAsk,
  sourcesChanged,
  toolsOffer,
  toolInput,
  toolJudge,
  toolChoices,
  toolConfirm,
  toolConfirmed,
  toolApproved,
  toolRun,
  toolResult,
  toolEnd,
];
