import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { formOf, unescaped } from './form-of.ts';

/** `userVerification` apart, what is read of the options of a page. */
type Options = { challenge: string; rp?: { id: string }; rpId?: string; allowCredentials?: { id: string }[]; excludeCredentials?: { id: string }[] };

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };
const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** What a page asks an authenticator for, and what its form brings back with the answer. */
export function askedOn(page: string, action: string): { options: Options; kept: string } {
  const [, options = 'null'] = /data-options="([^"]*)"/.exec(page) ?? [];
  return { options: JSON.parse(unescaped(options)), kept: formOf(page, action)['passkey-kept']?.[0] ?? '' };
}

/** An authenticator without hardware (ES256, no attestation), in a browser at an origin. Each part may be set to what is wrong. */
export class SoftPasskey {
  readonly #private: KeyObject;
  readonly #public: { x?: string; y?: string };
  readonly id = base64url(randomBytes(32));
  origin: string;
  /** As it says next; each use adds one, unless it is 0, as of those that do not count. */
  counter = 1;
  isVerified = true;

  constructor(origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    [this.#private, this.#public, this.origin] = [privateKey, publicKey.export({ format: 'jwk' }), origin];
  }

  /** As `navigator.credentials.create` gives it, as JSON. */
  create({ challenge, rp }: Options): string {
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([this.#head(rp?.id ?? '', FLAGS.attested), Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#coseKey()]);
    const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
    const attestation = [
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      Buffer.from([0x58, authData.length]),
      authData,
    ];
    return this.#said({
      ...{ clientDataJSON: base64url(this.#clientData('webauthn.create', challenge)), attestationObject: base64url(Buffer.concat(attestation)) },
      transports: ['internal', 'hybrid'],
    });
  }

  /** As `navigator.credentials.get` gives it, as JSON. */
  get({ challenge, rpId = '' }: Options): string {
    const clientData = this.#clientData('webauthn.get', challenge);
    const authData = this.#head(rpId);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#private);
    return this.#said({ clientDataJSON: base64url(clientData), authenticatorData: base64url(authData), signature: base64url(signature) });
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #head(rpID: string, more = 0): Buffer {
    const head = Buffer.alloc(37);
    sha256(rpID).copy(head);
    head[32] = FLAGS.present + (this.isVerified ? FLAGS.verified : 0) + more;
    head.writeUInt32BE(this.counter, 33);
    if (this.counter > 0) this.counter += 1;
    return head;
  }

  /** CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#public;
    const bytes = (name: number, value: string) => Buffer.concat([Buffer.from([name, 0x58, 0x20]), Buffer.from(value, 'base64url')]);
    return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), bytes(0x21, x), bytes(0x22, y)]);
  }

  #said(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
