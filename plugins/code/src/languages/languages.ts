import {basename, extname} from 'node:path';
import {c, cpp} from './c.js';
import {css, html, json, toml, yaml} from './documents.js';
import {go} from './go.js';
import {csharp, java, kotlin} from './java.js';
import type {Language} from './language.js';
import {python} from './python.js';
import {rust} from './rust.js';
import {bash, php, ruby} from './scripts.js';
import {javascript, tsx, typescript} from './typescript.js';

/** Every language, those that programs are written in first. */
export const languages: readonly Language[] = [
  ...[typescript, tsx, javascript, python, go, rust, java, kotlin, csharp, c, cpp, ruby, php, bash],
  ...[json, yaml, toml, css, html],
];

const byEnding = new Map(languages.flatMap((one) => one.endings.map((ending) => [ending, one] as const)));

/** Minified text has no names that help anyone. */
const GENERATED = /\.min\.(?:js|css)$|-lock\.(?:json|yaml)$|^package-lock\.json$/i;

/** The language of a file by its name. */
export function languageOf(path: string): Language | undefined {
  return byEnding.get(extname(path).toLowerCase());
}

/** Whether its symbols belong into the index: a file of a programming language that people write. */
export function isIndexed(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && language.names.length > 0 && language !== css && !GENERATED.test(basename(path));
}

/** By its name. */
export function languageNamed(name: string): Language | undefined {
  return languages.find((one) => one.name === name);
}
