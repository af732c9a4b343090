const HEADERS = 'no tool of ours asks for a header of its own';
const OLDER = 'the suite sends an older revision with the call, in which a stream does not open with an event';
const NOTIFICATIONS = 'the suite skips it: it waits for a rewrite of its own, and such notices are optional';

/** Scenarios that fail, as `<version> <side> <scenario>`, and why. */
export const expected: Readonly<Record<string, string>> = {
  '0.1.16 server server-sse-polling': OLDER,
  '0.2.0-alpha.12 server http-custom-header-server-validation': HEADERS,
  '0.2.0-alpha.12 server tasks-status-notifications': NOTIFICATIONS,
};
