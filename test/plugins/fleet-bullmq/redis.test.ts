import {findRedis, startRedis} from '../../helpers/queue-servers.js';
import {runCases, type Subject} from './run-cases.js';

const program = findRedis();
const subject: Subject = {
  name: 'redis-server',
  start: program === undefined ? undefined : () => startRedis(program),
  address: (port, fleet) => `redis://127.0.0.1:${port}/0?fleet=${fleet}`,
};

runCases(subject, () => undefined);
