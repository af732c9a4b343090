import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import ts from 'typescript';

/** A symbol as the language's own parser sees it. Lines from 1. */
export interface Truth {
  readonly path: string;
  readonly name: string;
  readonly owner?: string;
  readonly first: number;
  readonly last: number;
}

/** Prints what `ast` of Python finds in the files that its arguments name. */
const PYTHON = `
import ast, json, sys
def walk(body, owner, path, out):
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([one.lineno] + [d.lineno for d in one.decorator_list])
            out.append(dict(path=path, name=one.name, first=first, last=one.end_lineno, **({'owner': owner} if owner else {})))
            if isinstance(one, ast.ClassDef): walk(one.body, one.name, path, out)
found = []
for path in sys.argv[1:]:
    try: walk(ast.parse(open(path, encoding='utf8').read()).body, None, path, found)
    except (SyntaxError, UnicodeDecodeError): pass
print(json.dumps(found))
`;

/** The functions, classes, methods and types of a checkout, and nothing that its tests define. */
export function readTruth(folder: string): readonly Truth[] {
  const listed = execFileSync('git', ['-C', folder, 'ls-files'], {encoding: 'utf8'}).trim().split('\n');
  const files = listed.filter((path) => !/(^|\/)(tests?|__tests__|examples?|docs?)\//.test(path));
  const python = files.filter((path) => path.endsWith('.py'));
  const typescript = files.filter((path) => /\.tsx?$/.test(path) && !/\.(d|test|spec)\.tsx?$/.test(path));
  return [
    ...typescript.flatMap((path) => readTypescript(folder, path)),
    ...(python.length === 0
      ? []
      : (JSON.parse(
          execFileSync('python3', ['-c', PYTHON, ...python], {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28}),
        ) as Truth[])),
  ];
}

function readTypescript(folder: string, path: string): readonly Truth[] {
  const file = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Truth[] = [];
  const add = (node: ts.Node, name: ts.Node | undefined, owner?: string): void => {
    if (name === undefined || !ts.isIdentifier(name)) return;
    const [first, last] = [node.getStart(file), node.end].map((at) => file.getLineAndCharacterOfPosition(at).line + 1);
    found.push({path, name: name.text, first: first ?? 0, last: last ?? 0, ...(owner === undefined ? {} : {owner})});
  };
  for (const node of file.statements) {
    if (ts.isVariableStatement(node)) for (const one of node.declarationList.declarations) add(node, one.name);
    else if (ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      add(node, node.name);
    else if (ts.isClassDeclaration(node)) {
      add(node, node.name);
      for (const member of node.members) if (ts.isMethodDeclaration(member)) add(member, member.name, node.name?.text);
    }
  }
  return found;
}
