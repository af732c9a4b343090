import {isAbsolute, join, relative} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {findNearest, messageOf, type Environment, type FormReply, type SentForm} from '@gemini-kernel/kernel';
import {findTheme, readTheme, themeNames, type Painter, type Theme} from '@gemini-kernel/terminal';
import type {Seat} from '../../contract.js';
import type {Speaker} from '../speaker.js';
import type {ChoosableTheme} from './sourced-themes.js';
import type {Viewing} from '../views/viewing.js';
import {ThemeView} from './theme-view.js';

const LIMIT = 100_000;
const SETTING = 'ui.theme';

export interface ThemeParts {
  readonly seat: Pick<Seat, 'service'>;
  readonly environment: Pick<Environment, 'home'>;
  readonly painter: Painter;
  /** Themes of extensions and plugins; asked for when a theme is looked for that is not built in. */
  sourcedThemes(): Promise<readonly ChoosableTheme[]>;
}

interface Found {
  readonly theme: Theme;
  /** What is wrong with it. */
  readonly faults: readonly string[];
}

/** Uses the theme of the settings, and notes what is wrong with it. */
export async function openTheme(parts: ThemeParts, note: (sentence: string) => void): Promise<void> {
  const name = await (await parts.seat.service('settings')).get(SETTING);
  if (typeof name !== 'string' || name === '') return;
  const {theme, faults} = await find(name, parts);
  parts.painter.use(theme);
  if (faults.length > 0) note(`The theme "${name}": ${faults.join(' ')}`);
}

/** All themes that there are, with where they come from: of the settings, of sources, and the built-in ones. */
async function listThemes(parts: ThemeParts): Promise<readonly {readonly name: string; readonly origin: string}[]> {
  return [
    ...Object.keys(await customThemes(parts.seat)).map((name) => ({name, origin: 'From the settings.'})),
    ...(await parts.sourcedThemes()).map(({name, owner}) => ({name, origin: `From ${owner}.`})),
    ...themeNames().map((name) => ({name, origin: 'Built in.'})),
  ];
}

async function customThemes(seat: ThemeParts['seat']): Promise<Readonly<Record<string, unknown>>> {
  const themes = await (await seat.service('settings')).get('ui.customThemes');
  return typeof themes === 'object' && themes !== null ? (themes as Record<string, unknown>) : {};
}

async function find(name: string, parts: ThemeParts): Promise<Found> {
  const builtIn = findTheme(name);
  if (builtIn) return {theme: builtIn, faults: []};
  const custom = (await customThemes(parts.seat))[name];
  if (custom !== undefined) return readTheme(custom);
  if (name.endsWith('.json')) return readFileTheme(name, parts.environment.home);
  const sourced = (await parts.sourcedThemes()).find((one) => one.name === name);
  if (sourced) return readTheme(sourced.colours);
  const names = (await listThemes(parts)).map((one) => one.name);
  const short = names.filter((one) => one.startsWith(`${name} (`));
  const near = short.length > 0 ? short : findNearest(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' /theme lists the themes.';
  return {theme: {}, faults: [`there is no such theme.${hint}`]};
}

/** A theme in a file of the home directory. A project must not have other files read. */
async function readFileTheme(name: string, home: string): Promise<Found> {
  const path = name.startsWith('~/') ? join(home, name.slice(2)) : name;
  const inner = relative(home, path);
  if (!isAbsolute(path) || inner.startsWith('..') || isAbsolute(inner))
    return {theme: {}, faults: ['the file must be in your home directory.']};
  try {
    return readTheme(JSON.parse(await readText(path, {limit: LIMIT})));
  } catch (error) {
    return {theme: {}, faults: [`the file cannot be read: ${messageOf(error)}`]};
  }
}

interface ChoosingParts extends ThemeParts {
  readonly speaker: Speaker;
  readonly viewing: Pick<Viewing, 'showList'>;
  /** Whether a view takes the window, and shows a theme while it is marked. */
  readonly hasPreview: boolean;
  fill(form: SentForm): Promise<FormReply | undefined>;
}

/** `/theme`: chooses a theme, for this conversation and later ones. */
export async function chooseTheme(name: string, parts: ChoosingParts): Promise<void> {
  const {painter, speaker} = parts;
  if (name === '' && parts.hasPreview) return previewThemes(parts);
  const chosen = name === '' ? await askForTheme(parts) : name;
  if (chosen === undefined) return;
  const {theme, faults} = chosen === '' ? {theme: {}, faults: []} : await find(chosen, parts);
  if (faults.length > 0) return speaker.say('bad', `The theme "${chosen}": ${faults.join(' ')}`);
  await keep(chosen, parts);
  painter.use(theme);
  const {paint} = painter;
  const sample = [paint('code', 'code'), paint('good', '+ added'), paint('bad', '- removed'), paint('warn', 'warning')];
  speaker.print(`Theme: ${chosen === '' ? "the terminal's own colours" : chosen}. ${sample.join('  ')}\n`);
}

/** Shows each theme while it is marked; the one before is used again if none is chosen. */
async function previewThemes(parts: ChoosingParts): Promise<void> {
  const {viewing, painter, seat} = parts;
  const given = await (await seat.service('settings')).get(SETTING);
  const current = typeof given === 'string' ? given : '';
  const view = new ThemeView({
    current,
    list: () => listThemes(parts),
    find: (name) => find(name, parts),
    use: (theme) => painter.use(theme),
    keep: (name) => keep(name, parts),
  });
  await viewing.showList(view);
  view.isOver = true;
  if (!view.isChosen) painter.use(current === '' ? {} : (await find(current, parts)).theme);
}

async function keep(name: string, {seat}: Pick<ThemeParts, 'seat'>): Promise<void> {
  await (await seat.service('settings')).set(SETTING, name === '' ? undefined : name, {scope: 'user'});
}

async function askForTheme(parts: ChoosingParts): Promise<string | undefined> {
  const current = await (await parts.seat.service('settings')).get(SETTING);
  const themes = await listThemes(parts);
  const isKnown = themes.some(({name}) => name === current);
  const reply = await parts.fill({
    title: 'Themes change the colours of this and later conversations.',
    about: {kind: 'theme'},
    source: '@gemini-kernel/plugin-agent',
    isOurs: true,
    fields: [
      {
        name: 'theme',
        label: 'Which theme?',
        kind: 'choice',
        default: isKnown ? String(current) : '',
        options: [
          {value: '', label: "The terminal's own colours"},
          ...themes.map(({name, origin}) => ({value: name, label: name, description: origin})),
        ],
      },
    ],
  });
  return reply?.outcome === 'answered' ? String(reply.values['theme']) : undefined;
}
