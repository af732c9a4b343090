import {join} from 'node:path';
import {messageOf, type ServiceContext} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-search/contract';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {Conversation} from './conversation.js';
import {createPaint, Graphemes, PromptHistory} from '@gemini-kernel/terminal';
import {PlainScreen} from './plain-screen.js';
import {LiveScreen} from './screen.js';

/** Prepares a conversation; the terminal and the settings decide how it is shown. */
export async function openConversation(seat: Seat, context: ServiceContext): Promise<Conversation> {
  const {environment, service, names, tell} = context;
  const [settings, history] = await Promise.all([service('settings'), openHistory(context)]);
  const [screenReader, thinking, spinner, hideTips] = await Promise.all(
    ['ui.accessibility.screenReader', 'ui.inlineThinkingMode', 'ui.showSpinner', 'ui.hideTips'].map((key) =>
      settings.get(key),
    ),
  );
  const isRaw = seat.input.isTTY === true && seat.output.isTTY === true;
  const isListenedTo = screenReader === true;
  const isLive = isRaw && !isListenedTo && environment.variables['TERM'] !== 'dumb';
  const graphemes = new Graphemes();
  const screen = isLive ? new LiveScreen(seat.output, graphemes) : new PlainScreen(seat.output, isRaw);
  const hasColour = seat.colour && !environment.variables['NO_COLOR'];
  const paint = createPaint(hasColour);
  return new Conversation({
    seat,
    ...{environment, tell},
    screen,
    graphemes,
    history,
    isRaw,
    look: {paint, keepsMarks: !hasColour && !isListenedTo, saysWords: isListenedTo, columns: () => screen.columns},
    showsThoughts: thinking === 'full',
    showsSpinner: spinner !== false,
    showsTips: hideTips !== true,
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
  });
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
