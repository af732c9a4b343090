import type {Cell, Look} from './screen.js';

/** The colours of a window; `palette` has black to white, as SGR 30 to 37 names them. */
interface Theme {
  readonly ground: string;
  readonly bar: string;
  readonly frame: string;
  readonly text: string;
  readonly palette: readonly string[];
}

export const themes = {
  light: {
    ground: '#ffffff',
    bar: '#f2f4f6',
    frame: '#cdd3d9',
    text: '#1f2429',
    palette: ['#1f2429', '#c2212d', '#1a7a35', '#8f6100', '#0b64cf', '#7a4bd1', '#17737a', '#6b7280'],
  },
  dark: {
    ground: '#11151b',
    bar: '#1a2028',
    frame: '#323a44',
    text: '#e3e9ef',
    palette: ['#6b7280', '#ff7d75', '#45bd5c', '#d6a12f', '#63abff', '#be93ff', '#45c8d2', '#e3e9ef'],
  },
} satisfies Readonly<Record<string, Theme>>;

export type ThemeName = keyof typeof themes;

/** Sizes in pixels. A column is 0.6 of the font, as in the fonts that are named. */
const FONT = 14;
const COLUMN = 8.4;
const ROW = 19;
const EDGE = 18;
const BAR = 34;

interface Run {
  readonly column: number;
  readonly columns: number;
  readonly text: string;
  readonly look: Look;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const pixels = (value: number): string => String(Number(value.toFixed(1)));

/** Neighbours that look the same. */
function findRuns(row: readonly Cell[]): readonly Run[] {
  const end = row.findLastIndex(({text, look}) => text.trim() !== '' || look.inverse || look.background !== undefined);
  const runs: Run[] = [];
  for (const [column, {text, look}] of row.slice(0, end + 1).entries()) {
    const last = runs.at(-1);
    const isSame = last && JSON.stringify(last.look) === JSON.stringify(look);
    if (isSame) runs[runs.length - 1] = {...last, columns: last.columns + 1, text: last.text + text};
    else runs.push({column, columns: 1, text, look});
  }
  return runs;
}

/** The colours of a run: its text, and what is behind it. */
function colourRun(
  {colour, background, inverse}: Look,
  theme: Theme,
): {readonly front?: string; readonly back?: string} {
  const pick = (number: number | undefined): string | undefined =>
    number === undefined ? undefined : theme.palette[number % 10];
  const [front, back] = [pick(colour), pick(background)];
  if (inverse) return {front: back ?? theme.ground, back: front ?? theme.text};
  return {...(front ? {front} : {}), ...(back ? {back} : {})};
}

function drawRun({column, columns, text, look}: Run, theme: Theme): string {
  const {front} = colourRun(look, theme);
  const marks = Object.entries({b: look.bold, d: look.dim, i: look.italic, u: look.underlined, s: look.struck});
  const classes = marks.flatMap(([name, isSet]) => (isSet ? [name] : [])).join(' ');
  const attributes = [
    `x="${pixels(EDGE + column * COLUMN)}"`,
    `textLength="${pixels(columns * COLUMN)}"`,
    ...(classes === '' ? [] : [`class="${classes}"`]),
    ...(front === undefined ? [] : [`fill="${front}"`]),
  ];
  return `<tspan ${attributes.join(' ')}>${escapeXml(text)}</tspan>`;
}

function drawRow(row: readonly Cell[], index: number, theme: Theme): string {
  const runs = findRuns(row);
  if (runs.length === 0) return '';
  const top = BAR + EDGE / 2 + index * ROW;
  const backs = runs.flatMap(({column, columns, look}) => {
    const {back} = colourRun(look, theme);
    const [x, width] = [EDGE + column * COLUMN, columns * COLUMN].map(pixels);
    return back ? [`<rect x="${x}" y="${top}" width="${width}" height="${ROW}" fill="${back}"/>\n`] : [];
  });
  return `${backs.join('')}<text y="${top + 14}">${runs.map((run) => drawRun(run, theme)).join('')}</text>\n`;
}

interface Drawing {
  readonly rows: readonly (readonly Cell[])[];
  readonly columns: number;
  /** What a screen reader says. */
  readonly title: string;
}

/** Draws a screen in a window, as text that can be selected. The same rows always give the same bytes. */
export function drawSvg({rows, columns, title}: Drawing, name: ThemeName): string {
  const theme = themes[name];
  const [width, height] = [Math.ceil(columns * COLUMN + 2 * EDGE), BAR + EDGE + rows.length * ROW];
  const frame = `x="0.5" y="0.5" width="${width - 1}" rx="8" stroke="${theme.frame}"`;
  const buttons = [20, 38, 56].map((x) => `<circle cx="${x}" cy="17" r="5" fill="${theme.frame}"/>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      'role="img" aria-labelledby="title" xml:space="preserve">\n',
    `<title id="title">${escapeXml(title)}</title>\n`,
    `<style>text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;` +
      `fill:${theme.text}}.b{font-weight:700}.d{fill-opacity:.65}.i{font-style:italic}` +
      '.u{text-decoration:underline}.s{text-decoration:line-through}</style>\n',
    `<rect ${frame} height="${height - 1}" fill="${theme.ground}"/>\n`,
    `<path d="M0.5 ${BAR}V8.5a8 8 0 0 1 8-8H${width - 8.5}a8 8 0 0 1 8 8V${BAR}Z" fill="${theme.bar}" ` +
      `stroke="${theme.frame}"/>\n`,
    `${buttons.join('')}\n`,
    ...rows.map((row, index) => drawRow(row, index, theme)),
    '</svg>\n',
  ].join('');
}
