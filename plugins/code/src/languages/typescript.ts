import type {Language} from './language.js';

const FUNCTION_VALUE = '[(arrow_function) (function_expression) (generator_function)]';
const METHOD_NAME = '[(property_identifier) (private_property_identifier)] @name';

const shared = `
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: ${METHOD_NAME}) @method
(variable_declarator name: (identifier) @name value: ${FUNCTION_VALUE}) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(assignment_expression
  left: (member_expression property: (property_identifier) @name) right: ${FUNCTION_VALUE}) @function
`;

const typed = `
(function_signature name: (identifier) @name) @function
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body (property_identifier) @name @member)
(enum_assignment name: (property_identifier) @name) @member
(internal_module name: (identifier) @name) @module
(module name: [(string) (identifier)] @name) @module
(method_signature name: ${METHOD_NAME}) @method
(abstract_method_signature name: ${METHOD_NAME}) @method
(public_field_definition name: ${METHOD_NAME}) @property
(interface_body (property_signature name: (property_identifier) @name) @property)
(type_alias_declaration (object_type (property_signature name: (property_identifier) @name) @property))
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
`;

const untyped = `
(class_declaration name: (identifier) @name) @class
(field_definition property: ${METHOD_NAME}) @property
`;

const BEFORE = ['comment', 'decorator'];
const AROUND = [
  ...['export_statement', 'lexical_declaration', 'variable_declaration', 'ambient_declaration'],
  'expression_statement',
];
const NAMES = [
  ...['identifier', 'type_identifier', 'property_identifier', 'private_property_identifier'],
  ...['shorthand_property_identifier', 'shorthand_property_identifier_pattern', 'statement_identifier'],
];
const MEMBERS = ['property_identifier', 'private_property_identifier'];
const SCOPES = [
  ...['function_declaration', 'generator_function_declaration', 'function_expression', 'arrow_function'],
  ...['method_definition', 'generator_function', 'statement_block', 'for_statement', 'for_in_statement'],
  ...['catch_clause', 'function_signature', 'method_signature', 'class_declaration', 'interface_declaration'],
  ...['type_alias_declaration', 'function_type', 'abstract_method_signature', 'abstract_class_declaration'],
];

const locals = `
(variable_declarator name: (identifier) @local)
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @local))
(object_pattern (pair_pattern value: (identifier) @local))
(array_pattern (identifier) @local)
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(arrow_function parameter: (identifier) @local)
`;
const typedLocals = `
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @local))
(required_parameter pattern: (object_pattern (object_assignment_pattern
  left: (shorthand_property_identifier_pattern) @local)))
(type_parameter name: (type_identifier) @local)
`;
const untypedLocals = `
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
(formal_parameters (object_pattern (shorthand_property_identifier_pattern) @local))
`;

const common = {names: NAMES, members: MEMBERS, before: BEFORE, around: AROUND};
const typedParts = {
  ...common,
  definitions: shared + typed,
  locals: {scopes: SCOPES, query: locals + typedLocals},
  supers: `
(class_declaration (class_heritage (extends_clause value: (_) @super))) @sub
(class_declaration (class_heritage (implements_clause (_) @super))) @sub
(abstract_class_declaration (class_heritage (extends_clause value: (_) @super))) @sub
(abstract_class_declaration (class_heritage (implements_clause (_) @super))) @sub
(interface_declaration (extends_type_clause (_) @super)) @sub
`,
};

export const typescript: Language = {
  name: 'typescript',
  grammar: 'typescript',
  endings: ['.ts', '.mts', '.cts'],
  ...typedParts,
};

export const tsx: Language = {name: 'tsx', grammar: 'tsx', endings: ['.tsx'], ...typedParts};

export const javascript: Language = {
  name: 'javascript',
  grammar: 'javascript',
  endings: ['.js', '.mjs', '.cjs', '.jsx'],
  ...common,
  definitions: shared + untyped,
  locals: {scopes: SCOPES, query: locals + untypedLocals},
  supers: '(class_declaration (class_heritage (_) @super)) @sub',
};
