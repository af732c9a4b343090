import {defineSettings} from '@gemini-kernel/kernel';

/** The settings of telemetry that Gemini CLI does not have. */
export default defineSettings('telemetry', {
  outfileLayout: {
    schema: {type: 'string', enum: ['gemini-cli', 'otlp-lines']},
    default: 'gemini-cli',
    description: 'How telemetry.outfile is written: as Gemini CLI does, or as one OTLP object in JSON a line.',
    category: 'Telemetry',
  },
  prometheusPort: {
    schema: {type: 'integer', minimum: 0, maximum: 65_535},
    default: 0,
    description: 'Port on this machine at which Prometheus finds /metrics. 0 = none.',
    category: 'Telemetry',
  },
});
