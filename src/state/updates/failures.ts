import {LoginFailure, PermanentFailure} from '#api/failure.ts';
import {minimumLevel, releaseWith} from '#wire/levels.ts';

/* Failures that the update machine detects itself, in successful responses. */

export function unsupportedServerFailure(level: number, version: string | undefined): PermanentFailure {
  const versionText = version === undefined ? '' : ` (version ${version})`;
  const text = `This server${versionText} is too old: Parley needs ${releaseWith(minimumLevel)} (feature level ${minimumLevel}), the server has ${level}.`;
  return new PermanentFailure(text, {
    endpoint: 'server.settings',
    carriedOut: 'no',
    code: 'SERVER_TOO_OLD',
  });
}

export function noQueueFailure(): PermanentFailure {
  const text = 'The server did not create an event queue, so no new messages would arrive.';
  return new PermanentFailure(text, {endpoint: 'queue.register', carriedOut: 'no', code: 'BAD_REQUEST'});
}

export function organizationDeactivatedFailure(): LoginFailure {
  const text = 'This organization has been deactivated.';
  return new LoginFailure(text, {endpoint: 'queue.poll', carriedOut: 'no', code: 'REALM_DEACTIVATED'});
}
