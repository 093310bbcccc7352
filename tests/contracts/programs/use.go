// Reads the options of an agent's own proto back, and makes a client of the orchestrator.
package main

import (
	"log"

	convokev1 "example.com/hello/gen/convoke/v1"
	hellov1 "example.com/hello/gen/hello/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
)

type server struct {
	hellov1.UnimplementedHelloServer
}

func main() {
	service := hellov1.File_hello_v1_hello_proto.Services().ByName("Hello")
	domain := proto.GetExtension(service.Options(), convokev1.E_Domain).(*convokev1.Domain)
	if domain.GetName() != "hello" || domain.GetVersion() != "1.0.0" {
		log.Fatalf("domain: %v", domain)
	}
	method := service.Methods().ByName("Greet")
	capability := proto.GetExtension(method.Options(), convokev1.E_Capability).(*convokev1.Capability)
	if capability.GetEffects() != convokev1.Capability_READ_ONLY {
		log.Fatalf("capability: %v", capability)
	}
	name := (&hellov1.GreetRequest{}).ProtoReflect().Descriptor().Fields().ByName("name")
	if !proto.GetExtension(name.Options(), convokev1.E_Field).(*convokev1.FieldSpec).GetRequired() {
		log.Fatal("name is not required")
	}

	hellov1.RegisterHelloServer(grpc.NewServer(), server{})
	connection, err := grpc.NewClient("127.0.0.1:7400", grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	_ = convokev1.NewOrchestratorClient(connection)
}
