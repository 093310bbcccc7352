import convoke.v1.AnnotationsProto;
import convoke.v1.AskRequest;
import convoke.v1.Capability;
import convoke.v1.Domain;
import convoke.v1.OrchestratorGrpc;
import hello.v1.HelloOuterClass.GreetRequest;
import hello.v1.HelloGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;

/** Reads the options of an agent's own proto back, and makes a client of the orchestrator. */
public final class Use {
    public static void main(String[] arguments) {
        var file = GreetRequest.getDescriptor().getFile();
        var service = file.findServiceByName("Hello");
        Domain domain = service.getOptions().getExtension(AnnotationsProto.domain);
        check(domain.getName().equals("hello") && domain.getVersion().equals("1.0.0"), "domain: " + domain);
        var method = service.findMethodByName("Greet");
        Capability capability = method.getOptions().getExtension(AnnotationsProto.capability);
        check(capability.getEffects() == Capability.Effects.READ_ONLY, "capability: " + capability);
        var name = GreetRequest.getDescriptor().findFieldByName("name");
        check(name.getOptions().getExtension(AnnotationsProto.field).getRequired(), "name is not required");

        check(HelloGrpc.SERVICE_NAME.equals("hello.v1.Hello"), HelloGrpc.SERVICE_NAME);
        ManagedChannel channel = ManagedChannelBuilder.forTarget("127.0.0.1:7400").usePlaintext().build();
        OrchestratorGrpc.newBlockingStub(channel);
        check(AskRequest.newBuilder().setInputText("Greet Ada").build().isInitialized(), "request");
        channel.shutdownNow();
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
