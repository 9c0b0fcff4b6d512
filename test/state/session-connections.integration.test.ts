import {expect, test} from 'vitest';
import {makeApi} from '#api/api.ts';
import {pem, secureRelay, withCertificates} from '#test/api/certificates.ts';
import {connectTo} from '#test/api/client.ts';
import {sessionFixture} from './session-fixture.ts';

withCertificates();

test('session: the registration uses the connection of the settings, and later requests open one each at most', async () => {
  let connectionsAtRegistration = 0;
  const fixture = await sessionFixture({
    duringRegistration: async () => {
      connectionsAtRegistration = relay.connections;
    },
  });
  const relay = await secureRelay(fixture.server.url);
  const {email, apiKey} = fixture.meg;
  const connection = connectTo({
    site: relay.site,
    credentials: {email, apiKey},
    tls: {ca: pem('authority.pem')},
  });
  const session = fixture.session({api: makeApi(connection)});
  session.start();
  await session.ready();
  expect(connectionsAtRegistration).toBe(1);
  await session.recentMessages();
  // The poll, the presence report and the newest messages are requested at the same time.
  expect(relay.connections).toBeLessThanOrEqual(3);
});
