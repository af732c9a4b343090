/**
 * A promise that is kept in a variable while something else is awaited: when it fails meanwhile, no one has handled it
 * yet, and Node ends the program. Handle it at once, or hand it to what waits for it.
 */
const message =
  '{{name}} may fail while something else is awaited here, which ends the program. Await it first, hand it to ' +
  'Promise.all, ' +
  'or add {{name}}.catch(() => undefined) where it is made.';

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function functionAround(node) {
  let around = node.parent;
  while (around && !functions.has(around.type)) around = around.parent;
  return around;
}

const holds = (outer, inner) => outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];

/**
 * Whether it cannot fail, or has a handler already: `new Promise((resolve) => …)`, `.catch(…)`, `.then(…, …)`,
 * `Promise.allSettled(…)`.
 */
function isHandled(node) {
  if (node.type === 'TSAsExpression') return isHandled(node.expression);
  if (node.type === 'NewExpression') return node.callee.name === 'Promise' && node.arguments[0]?.params?.length === 1;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const {name} = node.callee.property;
  return name === 'catch' || (name === 'then' && node.arguments.length > 1) || name === 'allSettled';
}

export default {
  meta: {type: 'problem', schema: [], messages: {late: message}},
  create(context) {
    const {sourceCode} = context;
    const {program, esTreeNodeToTSNodeMap} = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const waits = new Map();
    const kept = [];
    const note = (node) => {
      const around = functionAround(node);
      waits.set(around, [...(waits.get(around) ?? []), node]);
    };
    const isPromise = (node) => {
      const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
      return (type.isUnion() ? type.types : [type]).some((one) => one.getSymbol()?.getName() === 'Promise');
    };
    return {
      AwaitExpression: note,
      'ForOfStatement[await=true]': note,
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && node.init && functionAround(node)?.async && !isHandled(node.init))
          kept.push(node);
      },
      'Program:exit'() {
        for (const node of kept) {
          const [variable] = sourceCode.getDeclaredVariables(node);
          const reads = variable.references.filter((one) => one.isRead()).map(({identifier}) => identifier);
          const first = reads.sort((a, b) => a.range[0] - b.range[0])[0];
          const isLate = (wait) =>
            first && wait.range[0] > node.range[1] && wait.range[0] < first.range[0] && !holds(wait, first);
          const isLoop = (wait) =>
            wait.type === 'ForOfStatement' && wait.range[0] > node.range[1] && first && wait.range[0] < first.range[0];
          const late = (waits.get(functionAround(node)) ?? []).some((wait) => isLate(wait) || isLoop(wait));
          if (late && isPromise(node.init)) context.report({node, messageId: 'late', data: {name: node.id.name}});
        }
      },
    };
  },
};
