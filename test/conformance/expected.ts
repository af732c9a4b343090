const SAMPLING = 'our tools ask no model of the client';
const NUMBERS = 'forms of the kernel have no numbers, and one way to write choices';
const RESUMPTION = 'a stream that breaks off is not resumed';
const HEADERS = 'no tool of ours asks for a header of its own';
const TASKS = 'the tasks extension is not implemented';
const ROOTS = 'roots are asked for by the session, not by a tool';
const PROMPTS = 'a prompt of a plugin cannot ask';
const KEYS = 'the suite wants its own name for a question; the protocol leaves names to the server';

/** Scenarios that fail, as `<version> <side> <scenario>`, and why. */
export const expected: Readonly<Record<string, string>> = {
  '0.1.16 server elicitation-sep1034-defaults': NUMBERS,
  '0.1.16 server elicitation-sep1330-enums': NUMBERS,
  '0.1.16 server server-sse-polling': RESUMPTION,
  '0.1.16 server tools-call-sampling': SAMPLING,
  '0.2.0-alpha.12 server elicitation-sep1034-defaults': NUMBERS,
  '0.2.0-alpha.12 server elicitation-sep1330-enums': NUMBERS,
  '0.2.0-alpha.12 server http-custom-header-server-validation': HEADERS,
  '0.2.0-alpha.12 server input-required-result-basic-elicitation': KEYS,
  '0.2.0-alpha.12 server input-required-result-basic-list-roots': ROOTS,
  '0.2.0-alpha.12 server input-required-result-basic-sampling': SAMPLING,
  '0.2.0-alpha.12 server input-required-result-capability-check': SAMPLING,
  '0.2.0-alpha.12 server input-required-result-multiple-input-requests': SAMPLING,
  '0.2.0-alpha.12 server input-required-result-non-tool-request': PROMPTS,
  '0.2.0-alpha.12 server server-sse-polling': RESUMPTION,
  '0.2.0-alpha.12 server server-stateless': SAMPLING,
  '0.2.0-alpha.12 server tasks-capability-negotiation': TASKS,
  '0.2.0-alpha.12 server tasks-dispatch-and-envelope': TASKS,
  '0.2.0-alpha.12 server tasks-lifecycle': TASKS,
  '0.2.0-alpha.12 server tasks-mrtr-composition': TASKS,
  '0.2.0-alpha.12 server tasks-mrtr-input': TASKS,
  '0.2.0-alpha.12 server tasks-request-headers': TASKS,
  '0.2.0-alpha.12 server tasks-request-state-removal': TASKS,
  '0.2.0-alpha.12 server tasks-required-task-error': TASKS,
  '0.2.0-alpha.12 server tasks-status-notifications': TASKS,
  '0.2.0-alpha.12 server tasks-wire-fields': TASKS,
  '0.2.0-alpha.12 server tools-call-sampling': SAMPLING,
};
