import {ToolError} from '@gemini-kernel/kernel';
import type {Node} from 'web-tree-sitter';
import type {Code, CodeIndex} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import type {LiveIndex} from '../table/live-index.js';
import type {FileEdits} from './plan-rename.js';
import {applyEdits} from './text-edit.js';

interface Options {
  readonly code: Code;
  readonly index: CodeIndex;
}

/** Refuses edits after which a file that parses no longer does. */
export async function checkParses(files: FileEdits, {code, index}: Options): Promise<void> {
  // What this plugin gave is what comes back: the service does not travel.
  const {readers} = index as LiveIndex;
  for (const [path, {text, edits}] of files) {
    const language = languageOf(path);
    if (!language || (await code.outline(path)).hasFaults) continue;
    const reader = await readers.get(language);
    const fault = reader.read(applyEdits(text, edits), (root) => (root.hasError ? (firstFault(root) ?? 1) : 0));
    if (fault === 0) continue;
    const where = fault === undefined ? '' : `, near line ${fault}`;
    throw new ToolError(
      'CODE_EDIT_BREAKS',
      `Nothing was changed: ${path} would no longer parse as ${language.name}${where}.`,
      {hint: 'Check that text is complete: brackets, quotes, indentation, and all that code_read shows of the symbol.'},
    );
  }
}

/** The line of the first error in a tree. */
function firstFault(root: Node): number | undefined {
  let node = root;
  for (;;) {
    const inner = node.children.find((child) => child.hasError || child.isMissing);
    if (!inner) return node.startPosition.row + 1;
    if (inner.isError || inner.isMissing) return inner.startPosition.row + 1;
    node = inner;
  }
}
