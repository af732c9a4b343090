import {join} from 'node:path';
import {messageOf, type Environment, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-search/contract';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {
  colourDepth,
  createPainter,
  Graphemes,
  PromptHistory,
  type KeyBindings,
  type Paint,
  type Painter,
} from '@gemini-kernel/terminal';
import type {Seat} from '../contract.js';
import type {FilePlaces} from './find-files.js';
import {sourcedThemes, type ChoosableTheme} from './own/sourced-themes.js';
import {openTheme} from './own/themes.js';
import {openBindings} from '../key-file.js';

/** What every interface of a conversation starts from: the seat, the settings, and earlier prompts. */
export interface FrontParts {
  readonly seat: Seat;
  readonly environment: Environment;
  /** What is to be said at the start. */
  readonly notices: readonly string[];
  readonly graphemes: Graphemes;
  readonly history: PromptHistory;
  readonly keys: KeyBindings;
  readonly painter: Painter;
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
  /** The services of views that there are. */
  readonly views: readonly string[];
  /** Themes of extensions and plugins. */
  sourcedThemes(): Promise<readonly ChoosableTheme[]>;
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
  const {environment, service, names} = context;
  const notices: string[] = [];
  const note = (sentence: string): void => void notices.push(sentence);
  const [settings, history, keys] = await Promise.all([
    service('settings'),
    openHistory(context, note),
    openBindings(environment, note),
  ]);
  const [screenReader, thinking, spinner, hideTips, vim] = await Promise.all(SETTINGS.map((key) => settings.get(key)));
  const hasColour = seat.colour && !environment.variables['NO_COLOR'];
  const painter = createPainter(hasColour ? colourDepth(environment.variables) : 0);
  const themes = {sourcedThemes: () => sourcedThemes(context)};
  await openTheme({seat, environment, painter, ...themes}, note);
  return {
    seat,
    ...{environment, notices, history, keys, hasColour, ...themes},
    graphemes: new Graphemes(),
    painter,
    paint: painter.paint,
    isRaw: seat.input.isTTY === true && seat.output.isTTY === true,
    isListenedTo: screenReader === true,
    showsThoughts: thinking === 'full',
    showsSpinner: spinner !== false,
    showsTips: hideTips !== true,
    isVim: vim === true,
    views: names('view'),
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
async function openHistory({service}: ServiceContext, note: (sentence: string) => void): Promise<PromptHistory> {
  const [project, secrets] = await Promise.all([service('project'), service('secrets')]);
  const clean = async (text: string): Promise<string> => (await secrets.redact(text)).text;
  try {
    const {temporary} = await project.claim();
    return await PromptHistory.open(join(temporary, 'console_history'), clean);
  } catch (error) {
    note(`Cannot read earlier prompts; new ones are not saved: ${messageOf(error)}`);
    return PromptHistory.open(undefined, clean);
  }
}
