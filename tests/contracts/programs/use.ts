// Reads the options of an agent's own proto back, and makes a client of the orchestrator.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { fromBinary, getOption } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type ConnectRouter, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Capability_Effects, capability, domain, field } from "./gen/convoke/v1/annotations_pb.js";
import { Orchestrator } from "./gen/convoke/v1/orchestrator_pb.js";
import { GreetRequestSchema, Hello } from "./gen/hello/v1/hello_pb.js";

const declared = getOption(Hello, domain);
assert.deepEqual([declared.name, declared.version], ["hello", "1.0.0"]);
assert.equal(getOption(Hello.method.greet, capability).effects, Capability_Effects.READ_ONLY);
assert.equal(getOption(GreetRequestSchema.field.name, field).required, true);

const set = fromBinary(FileDescriptorSetSchema, readFileSync("descriptors.binpb"));
assert.ok(set.file.some((file) => file.name === "hello/v1/hello.proto"));

export const routes = (router: ConnectRouter) =>
  router.service(Hello, { greet: (request) => ({ greeting: `Hello, ${request.name}` }) });
createClient(Orchestrator, createGrpcTransport({ baseUrl: "http://127.0.0.1:7400" }));
