/** How many colours a terminal has: none, the 16 of its own palette, 256, or all (24 bits). */
export type ColourDepth = 0 | 16 | 256 | 24;

/** A colour: `#rrggbb`, or the code of one of the terminal's own colours (30 to 37, 90 to 97). */
export type Colour = `#${string}` | number;

type RGB = readonly [red: number, green: number, blue: number];

/** Names of CSS, each followed by its value. */
const NAMED =
  'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 ' +
  'black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 ' +
  'cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc ' +
  'crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 ' +
  'darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f ' +
  'darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f ' +
  'darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 ' +
  'deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 ' +
  'floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 ' +
  'goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 ' +
  'indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 ' +
  'lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff ' +
  'lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 ' +
  'lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 ' +
  'lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff ' +
  'maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db ' +
  'mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc ' +
  'mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 ' +
  'navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 ' +
  'orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee ' +
  'palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd ' +
  'powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 ' +
  'saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d ' +
  'silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa ' +
  'springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 ' +
  'violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32';
/** The six levels of each part in the 256 colours. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** A colour as a theme writes it: `#abc`, `#aabbcc` or a name of CSS; undefined for anything else. */
export function readColour(written: string): Colour | undefined {
  const text = written.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(text)) return text as Colour;
  if (/^#[0-9a-f]{3}$/.test(text)) return `#${[...text.slice(1)].map((digit) => digit + digit).join('')}`;
  const value = /^[a-z]+$/.test(text) ? new RegExp(`(?:^| )${text} ([0-9a-f]{6})`).exec(NAMED)?.[1] : undefined;
  return value === undefined ? undefined : `#${value}`;
}

/** The parameters that switch a text colour on, in a terminal with so many colours. */
export function colourCode(colour: Colour, depth: ColourDepth): string {
  if (typeof colour === 'number') return String(colour);
  const rgb = partsOf(colour);
  if (depth === 24) return `38;2;${rgb.join(';')}`;
  return depth === 256 ? `38;5;${nearest256(rgb)}` : String(nearest16(rgb));
}

/** What a terminal can show, by the variables that terminals set. */
export function colourDepth(variables: Readonly<Record<string, string | undefined>>): ColourDepth {
  const term = variables['TERM'] ?? '';
  if (/^(?:truecolor|24bit)$/i.test(variables['COLORTERM'] ?? '') || variables['WT_SESSION'] !== undefined) return 24;
  if (/-direct$/.test(term)) return 24;
  return /256/.test(term) ? 256 : 16;
}

function partsOf(colour: `#${string}`): RGB {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function nearest256(rgb: RGB): number {
  const indexes = rgb.map((part) => indexOfNearest(LEVELS, part));
  const cube = indexes.map((index) => LEVELS[index] ?? 0);
  const grey = Math.max(0, Math.min(23, Math.round((average(rgb) - 8) / 10)));
  const isGreyNearer = distance(rgb, [8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey]) < distance(rgb, cube);
  const [red = 0, green = 0, blue = 0] = indexes;
  return isGreyNearer ? 232 + grey : 16 + 36 * red + 6 * green + blue;
}

/** One of the terminal's own colours. Their values differ, so what counts is which parts are strong. */
function nearest16(rgb: RGB): number {
  const most = Math.max(...rgb);
  if (most - Math.min(...rgb) < 40) return most < 60 ? 30 : most < 200 ? 90 : 37;
  const bits = rgb.map((part, index) => (part > most * 0.6 ? 2 ** index : 0));
  return 30 + bits.reduce((sum, bit) => sum + bit, 0);
}

function average(rgb: RGB): number {
  return (rgb[0] + rgb[1] + rgb[2]) / 3;
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, part, index) => sum + (part - (b[index] ?? 0)) ** 2, 0);
}

function indexOfNearest(levels: readonly number[], value: number): number {
  const distances = levels.map((level) => Math.abs(level - value));
  return distances.indexOf(Math.min(...distances));
}
