import {LoginFailure, PermanentFailure} from '#api/failure.ts';
import {minimumLevel} from '#wire/levels.ts';

export function unsupportedServerFailure(level: number, version: string | undefined): PermanentFailure {
  const which = version === undefined ? '' : ` (version ${version})`;
  const text = `This server${which} is too old: it is at feature level ${level}, and ${minimumLevel} is needed.`;
  return new PermanentFailure(text, {
    endpoint: 'server.settings',
    carriedOut: 'no',
    code: 'SERVER_TOO_OLD',
  });
}

export function noQueueFailure(): PermanentFailure {
  const text = 'The server gave no event queue, so nothing new would be heard from it.';
  return new PermanentFailure(text, {endpoint: 'queue.register', carriedOut: 'no', code: 'BAD_REQUEST'});
}

export function organizationDeactivatedFailure(): LoginFailure {
  const text = 'This organization has been deactivated.';
  return new LoginFailure(text, {endpoint: 'queue.poll', carriedOut: 'no', code: 'REALM_DEACTIVATED'});
}
