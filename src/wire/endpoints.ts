import * as channels from '#wire/endpoints/channels.ts';
import * as messages from '#wire/endpoints/messages.ts';
import * as organization from '#wire/endpoints/organization.ts';
import * as people from '#wire/endpoints/people.ts';
import * as personal from '#wire/endpoints/personal.ts';
import * as session from '#wire/endpoints/session.ts';

/**
 * The table of all endpoints: what the files of `endpoints/` export. The client's calls and the embedded server's routes are
 * both defined by it.
 */
export const endpoints = {
  ...session,
  ...messages,
  ...personal,
  ...channels,
  ...people,
  ...organization,
};
export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
