import {findPostgres, startPostgres} from '../../helpers/queue-servers.js';
import {runCases, type Subject} from './run-cases.js';

const programs = findPostgres();
const subject: Subject = {
  name: 'postgresql',
  start: programs === undefined ? undefined : () => startPostgres(programs),
  address: (port, fleet) => `postgres://gemini@127.0.0.1:${port}/postgres?fleet=${fleet}`,
};

runCases(subject, () => undefined);
