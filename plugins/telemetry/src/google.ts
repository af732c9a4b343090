import type {Variables} from '@gemini-kernel/plugin-env/contract';

/** The project of Google Cloud that gets records, and what proves that it may. */
export interface GoogleTarget {
  readonly project: string;
  /** The file with the credentials, if not in the usual place. */
  readonly credentials?: string;
}

/** Takes records by the protocol of OpenTelemetry, and puts them into Trace, Monitoring and Logging. */
export const GOOGLE_ENDPOINT = 'https://telemetry.googleapis.com';

const PROJECT = /^[a-z0-9][a-z0-9.:-]{1,80}$/;

interface Said {
  readonly variables: Variables;
  readonly useCliAuth: boolean;
  readonly faults: string[];
}

/** Undefined when nothing can be sent there: why is among the faults. */
export async function readGoogle({variables, useCliAuth, faults}: Said): Promise<GoogleTarget | undefined> {
  if (useCliAuth) {
    faults.push(
      'telemetry.useCliAuth is on, and nothing is sent: this program has no account at Google. Switch it off, and ' +
        'run gcloud auth application-default login.',
    );
    return undefined;
  }
  // Who says where records go is the person, not a repository.
  const own = async (name: string): Promise<string | undefined> => {
    const found = await variables.explain(name);
    return found && !found.isProject && found.value.trim() !== '' ? found.value.trim() : undefined;
  };
  const project = (await own('OTLP_GOOGLE_CLOUD_PROJECT')) ?? (await own('GOOGLE_CLOUD_PROJECT'));
  if (project === undefined || !PROJECT.test(project)) {
    const what = project === undefined ? 'no project is named' : `"${project.slice(0, 80)}" is no id of a project`;
    faults.push(
      `telemetry.target is gcp, and nothing is sent: ${what}. Set OTLP_GOOGLE_CLOUD_PROJECT in your environment or ` +
        'in ~/.gemini/.env; a .env of a project does not count.',
    );
    return undefined;
  }
  const credentials = await own('GOOGLE_APPLICATION_CREDENTIALS');
  return {project, ...(credentials === undefined ? {} : {credentials})};
}
