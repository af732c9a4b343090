/** By the last one of each name, as a browser takes them; a colour or a length may have more words behind it. */
type Declarations = ReadonlyMap<string, string>;

/** Farther out than this is off the page. */
const OFF_PAGE = 500;
const PLACES = ['left', 'right', 'top', 'bottom', 'text-indent', 'margin-left', 'margin-top'];
const NAMED: Readonly<Record<string, string>> = {white: '#ffffff', black: '#000000', transparent: '#00000000'};

/** Whether the style of an element hides its text from a reader. */
export function isInvisible(style: string): boolean {
  if (style === '') return false;
  const given: Declarations = new Map(
    style.split(';').map((one) => {
      const [name = '', ...value] = one.split(':');
      return [
        name.trim().toLowerCase(),
        value
          .join(':')
          .replace(/!important/i, '')
          .trim()
          .toLowerCase(),
      ];
    }),
  );
  return isSwitchedOff(given) || isTooSmall(given) || isOffPage(given) || hasNoContrast(given);
}

function isSwitchedOff(given: Declarations): boolean {
  const hides = (name: string, pattern: RegExp): boolean => pattern.test(given.get(name) ?? '');
  return (
    hides('display', /^none\b/) ||
    hides('visibility', /^(?:hidden|collapse)\b/) ||
    hides('opacity', /^(?:0*\.?0+|0)%?$|^0?\.0\d*$/) ||
    hides('clip-path', /^(?:inset\((?:50|100)%|circle\(0|polygon\(0 0)/) ||
    hides('clip', /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/) ||
    hides('transform', /scale[xy3d]*\(\s*0\s*[,)]/)
  );
}

function isTooSmall(given: Declarations): boolean {
  if (lengthOf(given.get('font-size')) < 2) return true;
  const isCut = /^(?:hidden|clip)\b/.test(given.get('overflow') ?? '');
  return isCut && ['height', 'width', 'max-height', 'max-width'].some((name) => lengthOf(given.get(name)) <= 1);
}

function isOffPage(given: Declarations): boolean {
  return PLACES.some((name) => {
    const length = lengthOf(given.get(name));
    return Number.isFinite(length) && Math.abs(length) >= OFF_PAGE && (length < 0 || given.has('position'));
  });
}

function hasNoContrast(given: Declarations): boolean {
  const text = colourOf(given.get('color'));
  const back = colourOf(given.get('background-color') ?? given.get('background'));
  return text !== undefined && (text === back || /^#.{6}0[0-9a-f]$/.test(text));
}

/** Of what is around it or of the window: about as many pixels. */
const PIXELS: Readonly<Record<string, number>> = {'': 1, px: 1, pt: 1, em: 16, rem: 16, ch: 16};
const OF_WINDOW = 10;

/** In pixels, about; not a number when it does not say. */
function lengthOf(value = ''): number {
  const [, number, unit = ''] = /^(-?\d*\.?\d+)\s*([a-z%]*)/.exec(value) ?? [];
  const size = Number(number);
  const pixels = PIXELS[unit];
  if (size === 0 || pixels !== undefined) return size * (pixels ?? 1);
  return size <= -100 ? size * OF_WINDOW : Number.NaN;
}

/** As `#rrggbb`, with two digits more where it lets through what is behind it. */
function colourOf(value = ''): string | undefined {
  const [word = ''] = /^(?:rgba?\([^)]*\)|\S+)/.exec(value) ?? [];
  if (NAMED[word]) return NAMED[word];
  if (/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/.test(word)) return word;
  if (/^#[0-9a-f]{3,4}$/.test(word)) return `#${word.slice(1).replace(/./g, '$&$&')}`;
  return word.startsWith('rgb') ? hexOf((word.match(/[\d.]+/g) ?? []).map(Number)) : undefined;
}

function hexOf([red, green, blue, through = 1]: readonly number[]): string | undefined {
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  const parts = [red, green, blue, ...(through >= 1 ? [] : [through * 255])];
  return `#${parts.map((part) => Math.min(255, Math.round(part)).toString(16).padStart(2, '0')).join('')}`;
}
