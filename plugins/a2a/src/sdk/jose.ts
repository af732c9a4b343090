export {createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify} from 'jose';
export type {FetchImplementation, JWTPayload, JWTVerifyGetKey} from 'jose';
