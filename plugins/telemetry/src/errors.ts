import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  TELEMETRY_OFF: {when: 'Telemetry is off, so that nothing can be sent.'},
  TELEMETRY_NO_FILE: {when: 'Telemetry is not written to a file, or the file cannot be read.'},
  TELEMETRY_UNREACHABLE: {when: 'A record of telemetry did not arrive.'},
} as const satisfies ErrorTable;
