import {setFlagsFromString} from 'node:v8';
import type {Node, Parser} from 'web-tree-sitter';
import {grammarFile} from './grammar-file.js';

/** Where another reader of shell text sees commands begin; undefined when it cannot read the text. */
export type SecondReading = (text: string) => readonly number[] | undefined;

const PLACES = ['command_name', 'declaration_command', 'unset_command', 'test_command'];
/** How often the parser may report that it is still at work: some texts would keep it for minutes. */
const MAX_STEPS = 2_000;

/** Loads tree-sitter's grammar of bash. */
export async function loadSecondReading(): Promise<SecondReading> {
  // What is compiled a second time, to run faster, is seldom ready before the program is done, and then holds up its
  // end for 400 ms.
  setFlagsFromString('--wasm-tiering-budget=100000000');
  const treeSitter = await import('web-tree-sitter');
  await treeSitter.Parser.init();
  const grammar = await treeSitter.Language.load(grammarFile());
  const parser = new treeSitter.Parser();
  parser.setLanguage(grammar);
  return (text) => findStarts(parser, text);
}

function findStarts(parser: Parser, text: string): readonly number[] | undefined {
  let steps = 0;
  // The types of the package forget that the answer counts.
  const progressCallback = (): boolean => (steps += 1) > MAX_STEPS;
  const tree = parser.parse(text, null, {progressCallback});
  if (!tree) {
    parser.reset();
    return undefined;
  }
  const {rootNode} = tree;
  const starts = rootNode.hasError
    ? undefined
    : rootNode.descendantsOfType(PLACES).map((node: Node) => node.startIndex);
  tree.delete();
  return starts;
}
