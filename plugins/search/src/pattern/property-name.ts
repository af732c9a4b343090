import type {Property} from './character-set.js';

/**
 * General categories by the names that JavaScript has for them. What is unassigned differs with each version of
 * Unicode, so that is not here.
 */
const CATEGORIES = new Map(
  [
    ['L', 'Letter'],
    ['LC', 'Cased_Letter'],
    ['Lu', 'Uppercase_Letter'],
    ['Ll', 'Lowercase_Letter'],
    ['Lt', 'Titlecase_Letter'],
    ['Lm', 'Modifier_Letter'],
    ['Lo', 'Other_Letter'],
    ['M', 'Mark', 'Combining_Mark'],
    ['Mn', 'Nonspacing_Mark'],
    ['Mc', 'Spacing_Mark'],
    ['Me', 'Enclosing_Mark'],
    ['N', 'Number'],
    ['Nd', 'Decimal_Number', 'digit'],
    ['Nl', 'Letter_Number'],
    ['No', 'Other_Number'],
    ['P', 'Punctuation', 'punct'],
    ['Pc', 'Connector_Punctuation'],
    ['Pd', 'Dash_Punctuation'],
    ['Ps', 'Open_Punctuation'],
    ['Pe', 'Close_Punctuation'],
    ['Pi', 'Initial_Punctuation'],
    ['Pf', 'Final_Punctuation'],
    ['Po', 'Other_Punctuation'],
    ['S', 'Symbol'],
    ['Sm', 'Math_Symbol'],
    ['Sc', 'Currency_Symbol'],
    ['Sk', 'Modifier_Symbol'],
    ['So', 'Other_Symbol'],
    ['Z', 'Separator'],
    ['Zs', 'Space_Separator'],
    ['Zl', 'Line_Separator'],
    ['Zp', 'Paragraph_Separator'],
    ['Cc', 'Control', 'cntrl'],
    ['Cf', 'Format'],
    ['Co', 'Private_Use'],
  ].flatMap(([short = '', ...long]) => [short, ...long].map((name) => [name, short] as const)),
);

/** Properties that both engines have and mean alike. */
const SHARED = new Set([
  ...[
    'ASCII',
    'Any',
    'Alphabetic',
    'Lowercase',
    'Uppercase',
    'White_Space',
    'Cased',
    'Dash',
    'Diacritic',
    'Math',
    'Quotation_Mark',
    'Terminal_Punctuation',
  ],
  ...[
    'Emoji',
    'Emoji_Presentation',
    'Emoji_Modifier',
    'ID_Start',
    'ID_Continue',
    'XID_Start',
    'XID_Continue',
    'Ideographic',
    'Hex_Digit',
    'ASCII_Hex_Digit',
    'Regional_Indicator',
  ],
]);

/** Rust knows no script of characters without one. */
const NO_SCRIPT = ['Unknown', 'Zzzz'];

/**
 * The name of a property in ripgrep's own engine and in PCRE2; undefined for one that they lack or see otherwise.
 * They follow the version of Unicode that they were built with, as Node.js does.
 */
export function propertyName({key, value}: Property, engine: 'rust' | 'pcre'): string | undefined {
  if (value === null) return SHARED.has(key) ? key : undefined;
  if (key === 'General_Category' || key === 'gc') return CATEGORIES.get(value);
  if ((key !== 'Script' && key !== 'sc') || NO_SCRIPT.includes(value)) return undefined;
  return engine === 'rust' ? `sc=${value}` : `sc:${value}`;
}
