import {join} from 'node:path';
import {messageOf, type Environment, type ServiceContext, type Tell} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-search/contract';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {createPaint, Graphemes, PromptHistory, type KeyBindings, type Paint} from '@gemini-kernel/terminal';
import type {Seat} from '../contract.js';
import type {FilePlaces} from './find-files.js';
import {openBindings} from '../key-file.js';

/** What every interface of a conversation starts from: the seat, the settings, and earlier prompts. */
export interface FrontParts {
  readonly seat: Seat;
  readonly environment: Environment;
  readonly tell: Tell;
  readonly graphemes: Graphemes;
  readonly history: PromptHistory;
  readonly keys: KeyBindings;
  readonly paint: Paint;
  readonly hasColour: boolean;
  readonly places: FilePlaces;
  /** Whether keys arrive one by one, and not in lines. */
  readonly isRaw: boolean;
  /** For a screen reader. */
  readonly isListenedTo: boolean;
  readonly showsThoughts: boolean;
  readonly showsSpinner: boolean;
  readonly showsTips: boolean;
  /** Whether the prompt has the keys of vim. */
  readonly isVim: boolean;
  now(): number;
}

const SETTINGS = [
  'ui.accessibility.screenReader',
  'ui.inlineThinkingMode',
  'ui.showSpinner',
  'ui.hideTips',
  'general.vimMode',
];

/** Prepares a conversation, whatever shows it. */
export async function openParts(seat: Seat, context: ServiceContext): Promise<FrontParts> {
  const {environment, service, names, tell} = context;
  const [settings, history, keys] = await Promise.all([
    service('settings'),
    openHistory(context),
    openBindings(environment, tell),
  ]);
  const [screenReader, thinking, spinner, hideTips, vim] = await Promise.all(SETTINGS.map((key) => settings.get(key)));
  const hasColour = seat.colour && !environment.variables['NO_COLOR'];
  return {
    seat,
    ...{environment, tell, history, keys, hasColour},
    graphemes: new Graphemes(),
    paint: createPaint(hasColour),
    isRaw: seat.input.isTTY === true && seat.output.isTTY === true,
    isListenedTo: screenReader === true,
    showsThoughts: thinking === 'full',
    showsSpinner: spinner !== false,
    showsTips: hideTips !== true,
    isVim: vim === true,
    now: () => performance.now(),
    places: {
      cwd: environment.cwd,
      home: environment.home,
      finder: async () => {
        const isThere =
          names('files').length > 0 &&
          (await settings.get('context.fileFiltering.enableRecursiveFileSearch')) !== false;
        return isThere ? seat.service('files') : undefined;
      },
      ignored: async (paths) => (await seat.service('workspace')).ignored(paths),
    },
  };
}

/** Earlier prompts; if their file cannot be read, this conversation has only its own. */
async function openHistory({tell, service}: ServiceContext): Promise<PromptHistory> {
  const [project, secrets] = await Promise.all([service('project'), service('secrets')]);
  const clean = async (text: string): Promise<string> => (await secrets.redact(text)).text;
  try {
    const {temporary} = await project.claim();
    return await PromptHistory.open(join(temporary, 'console_history'), clean);
  } catch (error) {
    const sentence = `Cannot read earlier prompts; new ones are not saved: ${messageOf(error)}`;
    tell({code: 'PROMPTS_NOT_KEPT', sentence});
    return PromptHistory.open(undefined, clean);
  }
}
