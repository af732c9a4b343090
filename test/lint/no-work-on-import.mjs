const pure = new Set([
  'defineTool',
  'defineHook',
  'defineFlag',
  'defineSetting',
  'defineSettings',
  'listen',
  'provide',
]);
/** Methods that make a value from values. */
const makers = new Set([
  'map',
  'filter',
  'flatMap',
  'join',
  'concat',
  'slice',
  'split',
  'from',
  'alloc',
  'for',
  'freeze',
  'entries',
  'fromEntries',
  'keys',
  'values',
  'string',
  'boolean',
  'integer',
  'option',
  'custom',
]);
const stores = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'RegExp', 'URL', 'TextEncoder', 'TextDecoder']);
const ADVICE =
  'Nothing happens on import: no I/O, no environment, no state that changes. Move it into a function, or into the ' +
  'service that owns it.';

/** Whether evaluating an expression only makes a value. */
function isValue(node) {
  switch (node?.type) {
    case undefined:
    case 'Literal':
    case 'TemplateLiteral':
    case 'Identifier':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
    case 'MemberExpression':
      return true;
    case 'UnaryExpression':
      return isValue(node.argument);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return isValue(node.left) && isValue(node.right);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isValue(node.expression);
    case 'SpreadElement':
      return isValue(node.argument);
    case 'ArrayExpression':
      return node.elements.every((element) => element === null || isValue(element));
    case 'ObjectExpression':
      return node.properties.every((property) =>
        isValue(property.type === 'SpreadElement' ? property.argument : property.value),
      );
    case 'NewExpression':
      return stores.has(node.callee.name) && node.arguments.every(isValue);
    case 'CallExpression': {
      const {callee} = node;
      const isKnown =
        callee.type === 'MemberExpression'
          ? makers.has(callee.property.name) && isValue(callee.object)
          : callee.type === 'Identifier' && pure.has(callee.name);
      return isKnown && node.arguments.every((argument) => isValue(argument));
    }
    default:
      return false;
  }
}

/** Modules are definitions: importing one costs reading it and changes nothing. */
export default {
  meta: {type: 'problem', schema: []},
  create(context) {
    const report = (node) => context.report({node, message: ADVICE});
    const check = (statement) => {
      if (statement.type === 'ExpressionStatement' && statement.directive === undefined) report(statement);
      if (/^(If|For|While|Do|Switch|Try|Block|Throw)/.test(statement.type)) report(statement);
      if (statement.type === 'VariableDeclaration') {
        if (statement.kind !== 'const') report(statement);
        for (const {init} of statement.declarations) if (!isValue(init)) report(init);
      }
      if (/^Export(Named|Default)Declaration$/.test(statement.type) && statement.declaration) {
        if (/Declaration$/.test(statement.declaration.type)) check(statement.declaration);
        else if (!isValue(statement.declaration)) report(statement.declaration);
      }
    };
    return {Program: (program) => program.body.forEach(check)};
  },
};
